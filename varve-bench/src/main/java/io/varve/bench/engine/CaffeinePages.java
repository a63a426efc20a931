package io.varve.bench.engine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;

/// Pages in a file, cached by Caffeine (W-TinyLFU).
final class CaffeinePages implements PageStore {
  private final FileChannel file;
  private final Cache<Long, byte[]> cache;
  private final int pageBytes;

  CaffeinePages(EngineSettings settings, int pageBytes, long pagesInMemory) {
    this.pageBytes = pageBytes;
    try {
      file =
          FileChannel.open(
              settings.directory().resolve("pages"),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new EngineException(e);
    }
    // Its upkeep runs in the calling thread, as that of the others does.
    cache =
        Caffeine.newBuilder()
            .maximumSize(pagesInMemory)
            .executor(Runnable::run)
            .recordStats()
            .build();
  }

  @Override
  public byte[] get(long number) {
    return cache.get(number, this::read);
  }

  private byte[] read(long number) {
    ByteBuffer page = ByteBuffer.allocate(pageBytes);
    try {
      while (page.hasRemaining()) {
        if (file.read(page, number * pageBytes + page.position()) < 0) {
          throw new IllegalStateException("a page that was never put: number=" + number);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return page.array();
  }

  @Override
  public void put(long number, byte[] page) {
    ByteBuffer bytes = ByteBuffer.wrap(page);
    try {
      while (bytes.hasRemaining()) {
        file.write(bytes, number * pageBytes + bytes.position());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cache.put(number, page);
  }

  @Override
  public PageUse use() {
    return new PageUse(cache.stats().hitCount(), cache.stats().missCount());
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new EngineException(e);
    }
  }
}
