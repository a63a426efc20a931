/// Queries over the objects in tables. Knows the language, typed conditions and their answers;
/// knows nothing of logs, pages and trees. Entry class: [io.varve.query.Attribute].
@NullMarked
package io.varve.query;

import org.jspecify.annotations.NullMarked;
