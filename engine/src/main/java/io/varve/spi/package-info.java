/// For a program that adds a compression to Varve: [io.varve.spi.PageCodec]. A program that uses a
/// store needs nothing of it.
@NullMarked
package io.varve.spi;

import org.jspecify.annotations.NullMarked;
