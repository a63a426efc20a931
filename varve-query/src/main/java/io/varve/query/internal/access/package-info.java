/// Finds the rows of one table that a condition is true of. Entry class:
/// [io.varve.query.internal.access.Access].
@NullMarked
package io.varve.query.internal.access;

import org.jspecify.annotations.NullMarked;
