package io.varve;

import io.varve.internal.map.EndingCodec;
import io.varve.internal.map.EndingEntries;
import io.varve.internal.map.EndingValue;
import io.varve.internal.map.EndingValue.EndIndex;
import io.varve.internal.map.EntryStore;
import io.varve.internal.map.ScheduledPurge;
import io.varve.internal.map.SnapshotEntries;
import io.varve.internal.map.SpaceEntries;
import io.varve.internal.map.SpaceMap;
import io.varve.internal.map.TransactionEntries;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A table whose entries end: each has a time to live from when it is put. One that has ended is
/// absent for every reader, whether or not a purge has removed it.
///
/// ```java
/// static final ExpiringTable<String, String> SESSIONS =
///     ExpiringTable.of("sessions", Codec.string(), Codec.string(), Duration.ofMinutes(30));
///
/// SESSIONS.open(store).put("4711", "basket"); // ends in 30 minutes
/// SESSIONS.ttl(Duration.ofDays(7)).open(store).put("4712", "keep me signed in");
/// store.transact(tx -> SESSIONS.open(tx).remove("4711")); // part of a transaction
/// SESSIONS.purgeEvery(store, Duration.ofMinutes(1)); // in the background
/// ```
///
/// The end is stored with the value, and in an index that the commit of each change keeps. A purge
/// reads that index, and of the table nothing but what has ended. Maps that a transaction or a
/// snapshot opened go by the time at which they were opened: so they show one state, however long
/// they are used.
///
/// - **Order of opens:** a store opens the table before its transactions do: that makes the index.
/// - **Bytes:** `store.space(name)` has values with their ends, and entries that have ended.
/// - **Cost:** a put writes the index, too. A read compares eight bytes of the value. One that is
///   over a quarter of a page is read from the file for that, also where only its key is asked for:
///   by a scan of keys, `containsKey` or `firstKey`. The size of a map takes what the count of a
///   table takes. Each entry that has ended and is still there adds a step.
///
/// Thread-safe, as codecs are. Holds no resource: a constant of the program, mostly.
///
/// @param name of the space: 1 to 200 characters
/// @param keys a codec whose byte order is the order of the table
/// @param values a codec of the values
/// @param ttl how long an entry lives that is put; `ChronoUnit.FOREVER` never ends
/// @param clock the source of the time
/// @param <K> the keys
/// @param <V> the values
/// @since 1.0
public record ExpiringTable<K, V>(
    String name, Codec<K> keys, Codec<V> values, Duration ttl, InstantSource clock) {
  /// Entries that a purge removes by one commit.
  private static final int PURGE_COUNT_MAX = 1000;

  /// Refuses null, and a time to live that is not above 0.
  public ExpiringTable {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(keys, "keys");
    Objects.requireNonNull(values, "values");
    Objects.requireNonNull(clock, "clock");
    if (!ttl.isPositive()) {
      throw new IllegalArgumentException(
          "an entry cannot live for ttl=" + ttl + "; give a time above 0, or remove the entry");
    }
  }

  /// A table of that name, whose entries live so long. It is made when a store opens it.
  public static <K, V> ExpiringTable<K, V> of(
      String name, Codec<K> keys, Codec<V> values, Duration ttl) {
    return new ExpiringTable<>(name, keys, values, ttl, InstantSource.system());
  }

  /// A table of that name, whose entries end only if [#ttl(Duration)] sets a time.
  public static <K, V> ExpiringTable<K, V> of(String name, Codec<K> keys, Codec<V> values) {
    return of(name, keys, values, ChronoUnit.FOREVER.getDuration());
  }

  /// The same table; what is put by maps that this opens lives so long.
  public ExpiringTable<K, V> ttl(Duration other) {
    return new ExpiringTable<>(name, keys, values, other, clock);
  }

  /// The same table by another clock, which is how a test moves the time.
  public ExpiringTable<K, V> clock(InstantSource other) {
    return new ExpiringTable<>(name, keys, values, ttl, other);
  }

  /// The table as a map of the store, made if there is none: as [Store#open(Table)]. Keep the map
  /// for as long as the store is open, rather than to open it for each call.
  ///
  /// @throws IllegalArgumentException if the table was written by codecs of other ids, or is none
  ///   whose entries end
  public OrderedMap<K, V> open(Store store) {
    Space space = space(store);
    IndexedSpace indexed = store.indexed(space);
    indexed.keep(List.of(EndIndex.INSTANCE), ProgressListener.none());
    Space ends = indexed.entries(EndIndex.INSTANCE.name());
    return map(new SpaceEntries(space), new SpaceEntries(ends), clock::millis);
  }

  /// The table as a map that is part of a transaction: as [Transaction#open(Table)].
  ///
  /// @throws IllegalStateException if the store has not opened the table before
  public OrderedMap<K, V> open(Transaction transaction) {
    Space space = space(transaction.store());
    Space ends = transaction.store().indexed(space).entries(EndIndex.INSTANCE, transaction);
    if (ends == null) {
      throw new IllegalStateException(
          "a transaction opens a table whose entries end before the store does: table="
              + name
              + "; call open(store) once at the start of the program");
    }
    long now = clock.millis();
    return map(
        new TransactionEntries(transaction, space),
        new TransactionEntries(transaction, ends),
        () -> now);
  }

  /// The table as a map that does not change: as [Snapshot#open(Table)].
  public OrderedMap<K, V> open(Snapshot snapshot) {
    Space space = space(snapshot.store());
    Space ends = snapshot.store().indexed(space).entries(EndIndex.INSTANCE, snapshot);
    long now = clock.millis();
    return map(
        new SnapshotEntries(snapshot, space),
        ends == null ? null : new SnapshotEntries(snapshot, ends),
        () -> now);
  }

  private Space space(Store store) {
    return store.map(name, keys, new EndingCodec<>(values)).space();
  }

  private OrderedMap<K, V> map(
      EntryStore entries, @Nullable EntryStore ends, LongSupplier nowMillis) {
    return new SpaceMap<>(new EndingEntries(entries, ends, nowMillis, millis(ttl)), keys, values);
  }

  /// Parts of a millisecond count as a whole one, so that nothing ends early.
  private static long millis(Duration ttl) {
    try {
      return Math.ceilDiv(ttl.toNanos(), 1_000_000);
    } catch (ArithmeticException e) {
      return EndingValue.NEVER; // 292 years and more
    }
  }

  /// When the entry of a key ends: [Instant#MAX] if never, and empty if there is no entry.
  public Optional<Instant> expiresAt(Store store, K key) {
    return end(space(store).get(keys.encode(key)));
  }

  /// When the entry of a key ends, as a transaction or a snapshot sees it.
  public Optional<Instant> expiresAt(ReadView view, K key) {
    return end(view.get(space(view.store()), keys.encode(key)));
  }

  private Optional<Instant> end(byte @Nullable [] stored) {
    if (stored == null) {
      return Optional.empty();
    }
    long end = EndingValue.endMillis(stored);
    if (end == EndingValue.NEVER) {
      return Optional.of(Instant.MAX);
    }
    return EndingValue.isOver(end, clock.millis())
        ? Optional.empty()
        : Optional.of(Instant.ofEpochMilli(end));
  }

  /// Removes what has ended by now, by commits of up to 1,000 entries that wait for no disk: a
  /// crash may bring entries back, which have ended as before.
  ///
  /// @return the number of entries removed
  /// @throws IllegalArgumentException if the store has not opened the table
  public long purge(Store store) {
    return purge(store, () -> false);
  }

  /// Purges in the background: now, and each time that `period` has passed after the last purge,
  /// for as long as the store is open. Each purge is [#purge]. One that fails is logged, and the
  /// next is tried after the period. It takes a virtual thread, and keeps no store in memory. A
  /// store that is closed ends it with the next period at the latest. A table that is dropped is
  /// not made again by it, and is purged once it is opened again.
  ///
  /// @param period the time between purges, above 0: more often costs one look at the index
  /// @return what ends it before the store is closed; a program may ignore it
  /// @throws IllegalArgumentException if the store has not opened the table, or the period is not
  ///   above 0
  public PeriodicPurge purgeEvery(Store store, Duration period) {
    if (!period.isPositive()) {
      throw new IllegalArgumentException(
          "purges cannot follow each other after period=" + period + "; give a time above 0");
    }
    ends(present(store)); // refuses here, and not in the background
    return ScheduledPurge.start(
        name,
        store,
        period,
        (open, isOver) -> {
          if (open.findSpace(name) != null) {
            purge(open, isOver);
          }
        });
  }

  /// The space of the table, which a purge does not make.
  private Space present(Store store) {
    Space present = store.findSpace(name);
    if (present == null) {
      throw new IllegalArgumentException(
          "a purge of a table that is not there: table=" + name + "; open it by the store first");
    }
    return present;
  }

  private static Space ends(Space space) {
    return space.store().indexed(space).entries(EndIndex.INSTANCE.name());
  }

  private long purge(Store store, BooleanSupplier isOver) {
    Space space = present(store);
    Space ends = ends(space);
    long now = clock.millis();
    long removed = 0;
    while (!isOver.getAsBoolean()) {
      List<byte[]> due = due(ends, now);
      long batch =
          due.isEmpty()
              ? 0
              : store.transactAndGet(Durability.BACKGROUND, tx -> removeEnded(tx, space, due, now));
      if (batch == 0) {
        break; // or all were put again by others, and are due later
      }
      removed += batch;
    }
    return removed;
  }

  /// Keys of entries that have ended by a time, the first of them.
  private static List<byte[]> due(Space ends, long now) {
    List<byte[]> keys = new ArrayList<>();
    try (Cursor cursor = ends.cursor(Range.lessThan(EndingValue.prefixAfter(now)))) {
      while (keys.size() < PURGE_COUNT_MAX && cursor.next()) {
        keys.add(EndingValue.key(cursor.key()));
      }
    }
    return keys;
  }

  /// Removes entries unless they were given another end since.
  private static long removeEnded(Transaction tx, Space space, List<byte[]> due, long now) {
    long removed = 0;
    for (byte[] key : due) {
      byte[] stored = tx.get(space, key);
      if (stored != null && EndingValue.isOver(EndingValue.endMillis(stored), now)) {
        tx.delete(space, key);
        removed++;
      }
    }
    return removed;
  }
}
