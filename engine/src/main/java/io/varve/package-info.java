/// The API of Varve: what a user of the store sees, and all that other modules may see.
///
/// Start at [io.varve.Store]: it opens a directory, hands out [io.varve.Space]s of ordered keys,
/// runs [io.varve.Transaction]s and takes [io.varve.Snapshot]s. The types here are interfaces and
/// values; the engine that implements them lives in `io.varve.internal` and is reached from the
/// factories of `Store` alone. No type here may depend on a page, a log record or a channel.
@NullMarked
package io.varve;

import org.jspecify.annotations.NullMarked;
