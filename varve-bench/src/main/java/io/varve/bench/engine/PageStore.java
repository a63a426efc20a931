package io.varve.bench.engine;

/// Keeps pages of one length by number: a part of them in memory, all of them on disk.
interface PageStore extends AutoCloseable {
  /// The page of that number, which was put; not to be changed.
  byte[] get(long number);

  /// Puts a page, which the caller does not change any more.
  void put(long number, byte[] page);

  /// How often pages were found in memory.
  PageUse use();

  @Override
  void close();

  /// Makes a page store.
  @FunctionalInterface
  interface Factory {
    /// Makes an empty one.
    ///
    /// @param pageBytes the length of every page
    /// @param pagesInMemory how many stay in memory
    PageStore open(EngineSettings settings, int pageBytes, long pagesInMemory);
  }
}
