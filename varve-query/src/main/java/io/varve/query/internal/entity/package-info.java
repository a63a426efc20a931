/// Finds the attributes of classes and of documents. Knows reflection and Jackson's nodes; knows
/// nothing of queries. Entry class: [io.varve.query.internal.entity.Attributes].
@NullMarked
package io.varve.query.internal.entity;

import org.jspecify.annotations.NullMarked;
