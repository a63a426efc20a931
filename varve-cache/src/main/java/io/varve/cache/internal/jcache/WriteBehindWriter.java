package io.varve.cache.internal.jcache;

import io.varve.cache.Marshaller;
import io.varve.cache.WriteBehind;
import io.varve.cache.internal.container.CacheKey;
import io.varve.cache.internal.container.KeyLocks;
import io.varve.cache.internal.container.ValueForm;
import io.varve.cache.internal.container.WaitingWrites;
import io.varve.cache.internal.jcache.WriteQueue.Waiting;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.cache.Cache;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;

/// A writer that notes what it is given, and gives it in batches to another one later, on a thread
/// of its own. A thread that calls it holds the locks of the keys. Safe for threads.
///
/// (WB-1) A change is in the store of a durable cache before the call returns. It leaves the store
/// once the other writer has written it, or by the commit that adds a later change of the key. So
/// no change is resumed of which a later one was written.
///
/// @param <K> the keys
/// @param <V> the values
final class WriteBehindWriter<K, V> implements CacheWriter<K, V>, AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(WriteBehindWriter.class.getName());

  /// A close waits so long for the writer; a call of it that does not return must not hold all.
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(30);

  /// How often a close looks whether the writer waits for a key that the closing thread holds.
  private static final Duration CLOSE_CHECK = Duration.ofMillis(20);

  /// A close stops to write after so many failures in a row: enough to find the one entry of the
  /// largest batch that is refused, and no more.
  private static final int CLOSE_FAILURES_MAX = 32;

  private final String cacheName;
  private final WriteBehind options;
  private final CacheWriter<? super K, ? super V> writer;
  private final Marshaller<K> keys;
  private final ValueForm<V> values;
  private final @Nullable WaitingWrites stored;
  private final KeyLocks<K> locks;
  private final Runnable onClose;
  private final WriteQueue<K> queue;
  private final AtomicLong lastNumber = new AtomicLong();

  /// The numbers of changes that stay in the store since they cannot be read, by their keys.
  private final Map<ByteBuffer, Long> unreadable = new ConcurrentHashMap<>();

  private final Counter dropped = new Counter();
  private final Thread thread;

  /// Starts with what waits in the store.
  ///
  /// @param open the cache, whose right to write changes that wait the caller has
  /// @param loader of the classes of the writer
  WriteBehindWriter(
      String cacheName,
      WriteBehind options,
      CacheWriter<? super K, ? super V> writer,
      OpenCache<K, V> open,
      ClassLoader loader) {
    this.cacheName = cacheName;
    this.options = options;
    this.writer = writer;
    this.keys = open.keys();
    this.values = open.values();
    this.stored = open.waitingWrites(cacheName);
    this.locks = open.locks();
    this.onClose = open::releaseWrites;
    this.queue = new WriteQueue<>(options);
    if (stored != null) {
      stored.all().forEach(this::resume);
    }
    this.thread = Thread.ofPlatform().daemon().name("varve-cache-writer").unstarted(this::run);
    thread.setContextClassLoader(loader);
    thread.start();
  }

  private void resume(WaitingWrites.Change change) {
    lastNumber.set(change.number());
    Long before = unreadable.remove(ByteBuffer.wrap(change.key()));
    if (before != null) {
      Objects.requireNonNull(stored).remove(List.of(before));
    }
    K key;
    Object form;
    try {
      byte[] value = change.value();
      form = value == null ? null : values.store(values.load(value));
      key = keys.fromBytes(change.key());
    } catch (RuntimeException | LinkageError e) { // of the marshaller
      setAside(change, e);
      return;
    }
    queue.admit(key, false);
    Waiting<K> replaced =
        queue.add(new Waiting<>(key, form, change.number(), 0, System.nanoTime()));
    if (replaced != null) {
      forget(List.of(replaced));
    }
  }

  /// Leaves a change in the store that cannot be read, until a later one of its key comes (WB-1).
  private void setAside(WaitingWrites.Change change, Throwable failure) {
    unreadable.put(ByteBuffer.wrap(change.key()), change.number());
    LOGGER.log(
        Level.ERROR,
        "a change that waits for the writer cannot be read, and stays in the store unwritten: "
            + "cache="
            + cacheName
            + ", number="
            + change.number()
            + ", key="
            + nameOf(change.key())
            + "; open the cache with the classes that wrote it, or put the key again",
        failure);
  }

  private String nameOf(byte[] key) {
    try {
      return keys.fromBytes(key).toString();
    } catch (RuntimeException | LinkageError e) { // of a changed class, too
      return HexFormat.of().formatHex(key);
    }
  }

  // Changes that come.

  @Override
  public void write(Cache.Entry<? extends K, ? extends V> entry) {
    add(entry.getKey(), values.store(entry.getValue()));
  }

  @Override
  public void writeAll(Collection<Cache.Entry<? extends K, ? extends V>> entries) {
    var left = entries.iterator();
    while (left.hasNext()) {
      write(left.next());
      left.remove();
    }
  }

  @Override
  @SuppressWarnings("unchecked") // only keys of the cache come here
  public void delete(Object key) {
    add((K) key, null);
  }

  @Override
  public void deleteAll(Collection<?> keys) {
    var left = keys.iterator();
    while (left.hasNext()) {
      delete(left.next());
      left.remove();
    }
  }

  private void add(K key, @Nullable Object form) {
    // What the writer itself changes is not refused: its thread is the one that frees capacity.
    queue.admit(key, !isWriting());
    CacheKey<K> cacheKey = new CacheKey<>(key, keys);
    Waiting<K> change;
    try {
      change =
          new Waiting<>(
              values.key(cacheKey), form, lastNumber.incrementAndGet(), 0, System.nanoTime());
      if (stored != null) {
        byte[] keyBytes = keys.toBytes(key);
        stored.add(
            new WaitingWrites.Change(
                change.number(), keyBytes, form == null ? null : values.bytes(form)),
            replacedBy(key, keyBytes));
        unreadable.remove(ByteBuffer.wrap(keyBytes));
      }
    } catch (RuntimeException | Error e) {
      queue.dismiss();
      throw e;
    }
    queue.add(change);
  }

  /// The numbers of the changes in the store that a new one of the key replaces: also of one that
  /// is being written, whose write may fail (WB-1).
  private List<Long> replacedBy(K key, byte[] keyBytes) {
    List<Long> replaced = new ArrayList<>(2);
    Waiting<K> waiting = queue.find(key);
    if (waiting != null) {
      replaced.add(waiting.number());
    }
    Long aside = unreadable.get(ByteBuffer.wrap(keyBytes));
    if (aside != null) {
      replaced.add(aside);
    }
    return replaced;
  }

  private void forget(List<Waiting<K>> changes) {
    if (stored != null && !changes.isEmpty()) {
      stored.remove(changes.stream().map(Waiting::number).toList());
    }
  }

  /// The change of a key that waits; null for none.
  @Nullable Waiting<K> find(K key) {
    return queue.find(key);
  }

  /// The value of a change; null if the key was removed.
  @Nullable V valueOf(Waiting<K> change) {
    return change.form() == null ? null : values.load(change.form());
  }

  /// The writer that this one gives changes to.
  CacheWriter<? super K, ? super V> writer() {
    return writer;
  }

  /// The number of changes that wait.
  int waiting() {
    return queue.size();
  }

  /// The number of changes that were dropped since they were tried too often.
  long dropped() {
    return dropped.total();
  }

  // Changes that leave.

  private void run() {
    boolean ended = false;
    while (!ended) {
      try {
        writeBatches();
        ended = true;
      } catch (InterruptedException e) {
        // By the writer, on its own thread: what waits is written all the same.
      } catch (RuntimeException | Error e) { // of the store, which refuses changes, too; or memory
        LOGGER.log(
            Level.ERROR, "changes are no longer written: " + facts() + "; open the cache again", e);
        queue.stop();
        ended = true;
      }
    }
  }

  /// Writes batches until the queue is closed, and empty or hopeless.
  private void writeBatches() throws InterruptedException {
    int batchMax = options.batchMax();
    int failures = 0;
    for (List<Waiting<K>> batch = queue.take(batchMax);
        !batch.isEmpty();
        batch = queue.take(batchMax)) {
      List<Waiting<K>> unwritten = write(batch, failures);
      drop(queue.finish(unwritten));
      forget(written(batch, unwritten));
      if (unwritten.isEmpty()) {
        failures = 0;
        batchMax = (int) Math.min(options.batchMax(), 2L * batchMax);
      } else {
        failures++;
        batchMax = Math.max(1, batch.size() / 2); // finds the entry that is refused
        if (queue.isClosed() && failures >= CLOSE_FAILURES_MAX) {
          return;
        }
        queue.pause(pauseNanos(failures));
      }
    }
  }

  private static <K> List<Waiting<K>> written(List<Waiting<K>> batch, List<Waiting<K>> unwritten) {
    if (unwritten.isEmpty()) {
      return batch;
    }
    Set<Long> left = new HashSet<>();
    unwritten.forEach(each -> left.add(each.number()));
    return batch.stream().filter(each -> !left.contains(each.number())).toList();
  }

  private void drop(List<Waiting<K>> tooOften) {
    if (!tooOften.isEmpty()) {
      dropped.add(tooOften.size());
      LOGGER.log(
          Level.ERROR,
          "changes are dropped that the writer refused too often: dropped="
              + tooOften.size()
              + ", attemptsMax="
              + options.retry().attemptsMax()
              + ", "
              + facts());
      forget(tooOften);
    }
  }

  private long pauseNanos(int failures) {
    long nanos = options.retry().pauseMin().toNanos();
    long most = options.retry().pauseMax().toNanos();
    for (int i = 1; i < failures && nanos < most; i++) {
      nanos *= 2;
    }
    return Math.min(nanos, most);
  }

  /// Gives a batch to the writer.
  ///
  /// @return what it did not write: what it left in the collections that it was given
  private List<Waiting<K>> write(List<Waiting<K>> batch, int failuresBefore) {
    List<Cache.Entry<K, V>> puts = new ArrayList<>();
    List<K> removals = new ArrayList<>();
    try {
      for (Waiting<K> each : batch) {
        V value = valueOf(each);
        if (value == null) {
          removals.add(each.key());
        } else {
          puts.add(new KeyValue<>(each.key(), value));
        }
      }
    } catch (RuntimeException | Error e) { // of the marshaller
      log(failuresBefore + 1, e);
      return batch;
    }
    Nesting.enter(); // threads wait for this one, so it waits for no queue (WQ-3)
    try {
      write(puts, removals, batch.size() == 1);
      return List.of();
    } catch (RuntimeException | Error e) { // an error, too: whatever it is, nothing is to be lost
      log(failuresBefore + 1, e);
    } finally {
      Nesting.leave();
    }
    Set<K> left = new HashSet<>(removals);
    puts.forEach(each -> left.add(each.getKey()));
    return batch.stream().filter(each -> left.contains(each.key())).toList();
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a writer of supertypes takes our entries
  private void write(List<Cache.Entry<K, V>> puts, List<K> removals, boolean alone) {
    if (alone) {
      puts.forEach(writer::write);
      removals.forEach(writer::delete);
      return;
    }
    if (!puts.isEmpty()) {
      ((CacheWriter) writer).writeAll(puts);
      puts.clear(); // whether or not the writer has
    }
    if (!removals.isEmpty()) {
      writer.deleteAll(removals);
    }
  }

  /// The first failure of a row, and then the 2nd, 4th, 8th and so on.
  private void log(int failures, Throwable failure) {
    if (Integer.bitCount(failures) == 1) {
      LOGGER.log(
          Level.WARNING,
          "the writer of a cache failed, and is tried again: failures="
              + failures
              + ", pauseMillis="
              + TimeUnit.NANOSECONDS.toMillis(pauseNanos(failures))
              + ", "
              + facts(),
          failure);
    }
  }

  private String facts() {
    return "cache=" + cacheName + ", waiting=" + queue.size();
  }

  /// Writes what waits, as far as the writer takes it. What is left is written when the cache opens
  /// again, or is lost if there is no store. The writer may use the cache until then, so the cache
  /// is to be open, and its changes must not be written by another.
  @Override
  public void close() {
    queue.close();
    if (!isWriting()) {
      awaitEnd();
      queue.stop(); // a call that returns after the wait is the last one
    } else if (stored != null) {
      queue.stop(); // another may open the cache before this thread has written what is left
    }
    int left = queue.size();
    if (left > 0) {
      LOGGER.log(
          Level.WARNING,
          stored == null
              ? "changes that waited for the writer are lost: " + facts()
              : "changes wait for the writer until the cache opens again: " + facts());
    }
    onClose.run();
  }

  /// Whether the calling thread is the one that writes.
  private boolean isWriting() {
    return thread.equals(Thread.currentThread());
  }

  /// Waits for the thread that writes, unless that waits for a key that the closing thread holds.
  /// An interrupt of the one that closes must lose no change.
  private void awaitEnd() {
    long end = System.nanoTime() + CLOSE_WAIT.toNanos();
    boolean interrupted = false;
    for (long left = end - System.nanoTime();
        left > 0 && thread.isAlive() && !isHeldUp();
        left = end - System.nanoTime()) {
      try {
        thread.join(Duration.ofNanos(Math.min(left, CLOSE_CHECK.toNanos())));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isHeldUp() {
    boolean isHeldUp = locks.isAwaitedBy(thread);
    if (isHeldUp) {
      LOGGER.log(
          Level.WARNING,
          "a close does not wait for the writer, which uses a key that the closing thread holds: "
              + facts()
              + "; close the cache outside of its processors, loaders and listeners");
    }
    return isHeldUp;
  }
}
