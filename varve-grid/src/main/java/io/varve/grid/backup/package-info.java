/// Backups of a node that runs, and of all nodes of a cluster at one point. `BackupTask` is what
/// clients call; it asks each node, by `BackupCalls`, to hold its writes ([WriteGate]) while all
/// take snapshots of their stores. These are `TakenBackup`s, which each node then writes while its
/// stores are in use.
@NullMarked
package io.varve.grid.backup;

import org.jspecify.annotations.NullMarked;
