/// Commits, transactions and snapshots over many spaces: the commit order, conflict checks, and
/// what users hold of them (spaces, views, cursors).
///
/// Knows trees and the log; must not know how a store is opened, recovered or closed. Entry
/// classes: [io.varve.internal.txn.Committer] for changes and [io.varve.internal.txn.Snapshots] for
/// views.
///
/// Lock order: the lock of the space registry, the write locks of spaces in the order of their ids,
/// the commit gate. No lock is held while a page is read, a force is awaited or a user's code runs.
@NullMarked
package io.varve.internal.txn;

import org.jspecify.annotations.NullMarked;
