/// For programs that extend Varve or build servers on it: [io.varve.spi.PageCodec] adds a
/// compression, [io.varve.spi.RetentionPolicy] says which pages stay in memory, and
/// [io.varve.spi.NonBlockingSpace] has calls for event loops. Other programs that use a store need
/// nothing of it.
@NullMarked
package io.varve.spi;

import org.jspecify.annotations.NullMarked;
