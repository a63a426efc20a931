/// Commits, transactions and snapshots over many spaces: the commit order, conflict checks, and
/// what users hold of them (spaces, views, cursors).
///
/// Knows trees and the log; must not know how a store is opened, recovered or closed. Entry
/// classes: [io.varve.internal.txn.Committer] for changes and [io.varve.internal.txn.Snapshots] for
/// views.
///
/// Lock order, as [io.varve.internal.lock.LockOrder] checks it: the lock of the space registry, the
/// write locks of spaces in the order of their ids; then the lock of what is removed, that of the
/// snapshots, the commit gate. No write lock is held while a page is read, a force is awaited or a
/// user's code runs; a part of a dropped tree is read under the lock of what is removed.
@NullMarked
package io.varve.internal.txn;

import org.jspecify.annotations.NullMarked;
