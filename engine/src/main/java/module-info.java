/// The Varve engine: a durable, ordered key-value store in one small jar, on public Java API alone.
///
/// Programs see `io.varve`, administration `io.varve.admin`, and a program that adds a compression
/// or runs an event loop `io.varve.spi`; the internal packages are opened to the test kit, which
/// replaces the disk.
module io.varve {
  requires static org.jspecify;
  requires java.management; // asked how much memory there is, where some outside of the heap is
  // taken
  requires jdk.jfr; // not static: what is not resolved could record nothing
  requires jdk.unsupported; // com.sun.nio.file: writes past the page cache

  uses io.varve.spi.PageCodec;

  exports io.varve;
  exports io.varve.admin;
  exports io.varve.item;
  exports io.varve.spi;
  exports io.varve.internal.disk to
      io.varve.test;
  exports io.varve.internal.store to
      io.varve.test;
}
