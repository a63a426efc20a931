/// Codecs that use libraries.
///
/// - **Knows:** LZ4 and Zstandard, by the libraries that have them.
/// - **Must not know:** what is compressed: of Varve it sees [io.varve.spi] alone.
/// - **Entry:** none; the engine finds [io.varve.compress.Lz4Codec] and
///   [io.varve.compress.ZstdCodec] as services.
/// - **Lock order:** takes no locks.
@NullMarked
package io.varve.compress;

import org.jspecify.annotations.NullMarked;
