/// The one model of text and typed queries: expressions, how they are bound, and what they are of a
/// row. Knows nothing of text and of stores. Entry class:
/// [io.varve.query.internal.expr.Expression].
@NullMarked
package io.varve.query.internal.expr;

import org.jspecify.annotations.NullMarked;
