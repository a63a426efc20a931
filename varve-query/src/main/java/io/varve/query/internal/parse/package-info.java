/// Turns the text of queries into statements: parses it, resolves its names, converts its literals.
/// Entry class: [io.varve.query.internal.parse.QueryReader].
@NullMarked
package io.varve.query.internal.parse;

import org.jspecify.annotations.NullMarked;
