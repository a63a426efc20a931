/// The locks of the engine, and the order in which a thread takes them.
///
/// Knows the order and which thread holds what; must not know what the locks guard. Entry class:
/// [io.varve.internal.lock.LockOrder], which is the table of the order, and
/// [io.varve.internal.lock.StoreLocks], which checks it in each store. The log has an order of its
/// own, which its package states: its locks come after all of these, and none of these is taken
/// under them. The locks of `internal.item` come before all of these, and are not checked.
@NullMarked
package io.varve.internal.lock;

import org.jspecify.annotations.NullMarked;
