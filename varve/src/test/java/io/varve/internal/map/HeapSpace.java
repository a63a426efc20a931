package io.varve.internal.map;

import io.varve.Cursor;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.Transaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;

/// As much of a space as a map uses, over a map of the JDK: what a map does wrong on it is the
/// map's own fault. Methods that are missing here are refused.
public final class HeapSpace {
  private final NavigableMap<byte[], byte[]> entries =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
  private final Space space = as(Space.class, this);
  private final Store store = as(Store.class, new HeapStore());

  /// An empty space.
  public static Space create() {
    return new HeapSpace().space;
  }

  private static <T> T as(Class<T> type, Object target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              try {
                return target
                    .getClass()
                    .getMethod(method.getName(), method.getParameterTypes())
                    .invoke(target, arguments);
              } catch (NoSuchMethodException e) {
                throw new UnsupportedOperationException(method.toString(), e);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  public Store store() {
    return store;
  }

  public byte[] get(byte[] key) {
    return entries.get(key);
  }

  public boolean contains(byte[] key) {
    return entries.containsKey(key);
  }

  public long put(byte[] key, byte[] value) {
    entries.put(key.clone(), value.clone());
    return 0;
  }

  public byte[] getAndPut(byte[] key, byte[] value) {
    return entries.put(key.clone(), value.clone());
  }

  public byte[] putIfAbsent(byte[] key, byte[] value) {
    return entries.putIfAbsent(key.clone(), value.clone());
  }

  public boolean compareAndSet(byte[] key, byte[] expected, byte[] update) {
    var replaced = new boolean[1];
    entries.compute(
        key.clone(),
        (_, value) -> {
          replaced[0] = Arrays.equals(value, expected);
          return replaced[0] ? update : value;
        });
    return replaced[0];
  }

  public long delete(byte[] key) {
    entries.remove(key);
    return 0;
  }

  public byte[] getAndDelete(byte[] key) {
    return entries.remove(key);
  }

  public long deleteRange(Range range) {
    long count = count(range);
    part(range).clear();
    return count;
  }

  public long count(Range range) {
    return part(range).size();
  }

  public Cursor cursor(Range range) {
    return as(Cursor.class, new HeapCursor(part(range)));
  }

  private NavigableMap<byte[], byte[]> part(Range range) {
    byte[] to = range.to();
    if (range.isEmpty()) {
      return new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
    }
    return to == null
        ? entries.tailMap(range.from(), true)
        : entries.subMap(range.from(), true, to, false);
  }

  /// Runs the body once: only one thread writes in the tests that use transactions.
  public final class HeapStore {
    public long transact(Consumer<Transaction> body) {
      body.accept(as(Transaction.class, this));
      return 0;
    }

    public void put(Space target, byte[] key, byte[] value) {
      entries.put(key.clone(), value.clone());
    }
  }

  /// Keeps the entry it stands on, as a real cursor keeps its leaf.
  public static final class HeapCursor {
    private final NavigableMap<byte[], byte[]> part;
    private Entry entry;

    HeapCursor(NavigableMap<byte[], byte[]> part) {
      this.part = part;
    }

    public boolean first() {
      return at(part.firstEntry());
    }

    public boolean last() {
      return at(part.lastEntry());
    }

    public boolean next() {
      return at(part.higherEntry(entry.key()));
    }

    public boolean previous() {
      return at(part.lowerEntry(entry.key()));
    }

    private boolean at(Map.Entry<byte[], byte[]> found) {
      entry = found == null ? null : new Entry(found.getKey().clone(), found.getValue().clone());
      return found != null;
    }

    public byte[] key() {
      return entry.key().clone();
    }

    public byte[] value() {
      return entry.value().clone();
    }

    public void close() {
      entry = null;
    }
  }
}
