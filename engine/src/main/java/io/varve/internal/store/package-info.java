/// Opens, recovers, restores, salvages and closes stores: wires the parts together.
///
/// Knows all parts below; holds no algorithm of theirs. Entry class:
/// [io.varve.internal.store.StoreOpener].
///
/// Locks: the closing lock of `OpenStore` comes first in [io.varve.internal.lock.LockOrder]. The
/// monitor of `OpenGuard` is held for one record or superblock, and nothing is taken under it.
@NullMarked
package io.varve.internal.store;

import org.jspecify.annotations.NullMarked;
