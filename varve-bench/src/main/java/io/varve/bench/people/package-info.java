/// Objects that are found by their fields: Varve's indexes and SQL databases, with the same
/// answers.
///
/// Entry class: [io.varve.bench.people.QueryCases].
@NullMarked
package io.varve.bench.people;

import org.jspecify.annotations.NullMarked;
