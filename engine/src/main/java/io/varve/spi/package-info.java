/// For programs that extend Varve or build servers on it: [io.varve.spi.PageCodec] adds a
/// compression; [io.varve.spi.RetentionPolicy] selects which pages stay in memory;
/// [io.varve.spi.BackupTarget] keeps backups; [io.varve.spi.NonBlockingSpace] has calls for event
/// loops; [io.varve.spi.StackReserve] is for code that takes locks of its own around calls of a
/// store; [io.varve.IndexedSpace] keeps indexes of a space in the commits that change it. Other
/// programs need nothing of it.
@NullMarked
package io.varve.spi;

import org.jspecify.annotations.NullMarked;
