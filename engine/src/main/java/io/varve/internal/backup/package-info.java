/// Backups: checkpoints copied out of the page file into files of their own, and put together again
/// as the page file of a store. They are in a directory
/// ([io.varve.internal.backup.DirectoryTarget]) or in a [io.varve.spi.BackupTarget] of a program.
///
/// Knows backup files and the points that a directory of them keeps, and which images of a
/// checkpoint a point lacks. Must not know how stores are opened, nor commits. Entry classes:
/// [io.varve.internal.backup.BackupSet], [io.varve.internal.backup.CheckpointCopy] and
/// [io.varve.internal.backup.PageFileRestore].
///
/// Takes no locks but that of the directory.
@NullMarked
package io.varve.internal.backup;

import org.jspecify.annotations.NullMarked;
