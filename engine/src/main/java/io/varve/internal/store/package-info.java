/// Opens, recovers, restores, salvages and closes stores: wires the parts together.
///
/// Knows all parts below; holds no algorithm of theirs. Entry class:
/// [io.varve.internal.store.StoreOpener].
///
/// Lock order: the checkpoint lock comes before every lock of `internal.txn`.
@NullMarked
package io.varve.internal.store;

import org.jspecify.annotations.NullMarked;
