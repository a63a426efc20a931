/// LZ4 and Zstandard for the pages of a store. A program names none of it: with this module next to
/// the engine, `StoreOptions.compression` takes `lz4` and `zstd`.
module io.varve.compress {
  requires io.varve;
  requires com.github.luben.zstd_jni;
  requires org.lz4.java;
  requires static org.jspecify;

  provides io.varve.spi.PageCodec with
      io.varve.compress.Lz4Codec,
      io.varve.compress.ZstdCodec;
}
