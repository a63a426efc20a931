/// Patterns over items: items with variables for components, joined by the variables that they
/// share. Knows items and their counts; knows nothing of tables, indexes and the language of
/// queries. Entry class: [io.varve.query.pattern.Patterns].
@NullMarked
package io.varve.query.pattern;

import org.jspecify.annotations.NullMarked;
