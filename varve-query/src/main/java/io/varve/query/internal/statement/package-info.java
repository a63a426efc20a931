/// What a query does, resolved against the tables it names. Knows nothing of text and of stores.
/// Entry class: [io.varve.query.internal.statement.Statement].
@NullMarked
package io.varve.query.internal.statement;

import org.jspecify.annotations.NullMarked;
