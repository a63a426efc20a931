package io.varve.bench.engine;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// An index whose leaves are pages in a [PageStore], and whose way to them, the first key of each,
/// is in memory. It commits nothing: it is there to compare page stores. One thread at a time.
final class PagedEngine implements Engine {
  private static final int ENTRIES_MAX = 64;

  /// What a page is taken to weigh, whatever its entries take: as much as a page of Varve, so that
  /// the same budget means the same number of pages.
  private static final int PAGE_BYTES = 8192 + 96;

  private final PageStore pages;
  private final PagedLeaf.Layout layout;
  private final TreeMap<byte[], Long> directory = new TreeMap<>(Arrays::compareUnsigned);
  private final ReentrantLock lock = new ReentrantLock();
  private long pageCount;

  private PagedEngine(PageStore.Factory factory, EngineSettings settings) {
    layout = new PagedLeaf.Layout(EngineSettings.KEY_BYTES, settings.valueBytes(), ENTRIES_MAX);
    long inMemory = Math.max(1, settings.cacheBytes() / PAGE_BYTES);
    pages = factory.open(settings, layout.pageBytes(), inMemory);
    addPage(new byte[0], layout.empty());
  }

  private void addPage(byte[] firstKey, byte[] page) {
    directory.put(firstKey, pageCount);
    pages.put(pageCount++, page);
  }

  @Override
  public EngineSession session() {
    return new Session();
  }

  @Override
  public PageUse pageUse() {
    return pages.use();
  }

  @Override
  public void close() {
    pages.close();
  }

  private long numberOf(byte[] key) {
    return directory.floorEntry(key).getValue();
  }

  private void put(byte[] key, byte[] value) {
    lock.lock();
    try {
      long number = numberOf(key);
      PagedLeaf leaf = new PagedLeaf(layout, pages.get(number));
      if (leaf.find(key) < 0 && leaf.isFull()) {
        PagedLeaf.Halves halves = leaf.split(key);
        pages.put(number, halves.left());
        addPage(halves.rightKey(), halves.right());
        number = numberOf(key);
        leaf = new PagedLeaf(layout, pages.get(number));
      }
      pages.put(number, leaf.with(key, value));
    } finally {
      lock.unlock();
    }
  }

  private void delete(byte[] key) {
    lock.lock();
    try {
      long number = numberOf(key);
      PagedLeaf leaf = new PagedLeaf(layout, pages.get(number));
      if (leaf.find(key) >= 0) {
        pages.put(number, leaf.without(key));
      }
    } finally {
      lock.unlock();
    }
  }

  private final class Session implements EngineSession, Batch.Changes<RuntimeException> {
    private final byte[] keyBuffer = new byte[EngineSettings.KEY_BYTES];
    private final byte[] valueBuffer = new byte[layout.valueBytes()];

    @Override
    public boolean get(byte[] key, ValueSink sink) {
      lock.lock();
      try {
        PagedLeaf leaf = new PagedLeaf(layout, pages.get(numberOf(key)));
        int index = leaf.find(key);
        if (index < 0) {
          return false;
        }
        leaf.readValue(index, valueBuffer);
      } finally {
        lock.unlock();
      }
      sink.value(valueBuffer, valueBuffer.length);
      return true;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      PagedEngine.this.put(key.clone(), value);
    }

    @Override
    public void delete(byte[] key) {
      PagedEngine.this.delete(key);
    }

    @Override
    public void commit(Batch batch) {
      batch.forEach(this);
    }

    @Override
    public void scan(byte[] from, EntrySink sink) {
      ascend(from, sink);
    }

    @Override
    public void forward(EntrySink sink) {
      ascend(new byte[0], sink);
    }

    private void ascend(byte[] from, EntrySink sink) {
      lock.lock();
      try {
        byte @Nullable [] page = directory.floorKey(from);
        while (page != null) {
          PagedLeaf leaf = new PagedLeaf(layout, pages.get(numberOf(page)));
          int found = leaf.find(from);
          for (int i = found < 0 ? ~found : found; i < leaf.count(); i++) {
            if (!give(leaf, i, sink)) {
              return;
            }
          }
          page = directory.higherKey(page);
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void backward(EntrySink sink) {
      lock.lock();
      try {
        for (Map.Entry<byte[], Long> page : directory.descendingMap().entrySet()) {
          PagedLeaf leaf = new PagedLeaf(layout, pages.get(page.getValue()));
          for (int i = leaf.count() - 1; i >= 0; i--) {
            if (!give(leaf, i, sink)) {
              return;
            }
          }
        }
      } finally {
        lock.unlock();
      }
    }

    private boolean give(PagedLeaf leaf, int index, EntrySink sink) {
      leaf.readKey(index, keyBuffer);
      leaf.readValue(index, valueBuffer);
      return sink.entry(keyBuffer, valueBuffer, valueBuffer.length);
    }

    @Override
    public void close() {}
  }

  /// @param label the name on the command line
  /// @param library a class of the library, for its version
  /// @param settings in words
  /// @param pages keeps the leaves
  record Type(String label, Class<?> library, String settings, PageStore.Factory pages)
      implements EngineType {
    @Override
    public String version() {
      return JarVersion.of(library);
    }

    @Override
    public String describe(Promise promise) {
      return settings + "; an index with its inner pages in memory, no commits";
    }

    @Override
    public Set<Feature> features() {
      return EnumSet.of(Feature.ORDERED, Feature.OVERFLOWS);
    }

    @Override
    public Engine open(EngineSettings settings) {
      return new PagedEngine(pages, settings);
    }
  }
}
