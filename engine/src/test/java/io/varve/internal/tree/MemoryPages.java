package io.varve.internal.tree;

import io.varve.PageRetention;
import io.varve.internal.cache.PageCache;
import io.varve.internal.cache.Pages;
import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.file.PageFile;
import java.io.IOException;

/// The pages of a small tree, all of which a cache holds, and their file in memory.
record MemoryPages(PageFile file, Pages pages) implements AutoCloseable {
  private static final int PAGE_BYTES = 1024;

  static MemoryPages open() {
    try {
      PageFile file = PageFile.open(new MemoryDisk(), PageFile.NAME);
      PageCache cache = new PageCache(file.locks(), PageRetention.S3_FIFO, 64 << 20, 1);
      return new MemoryPages(file, new Pages(file, cache, PAGE_BYTES));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /// The epochs of the tree, from a first one on.
  Epochs epochs(long first) {
    return new Epochs(file.locks(), first);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
