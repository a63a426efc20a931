/// For who adds a compression to Varve: [io.varve.spi.PageCodec]. Who uses a store needs nothing of
/// it.
@NullMarked
package io.varve.spi;

import org.jspecify.annotations.NullMarked;
