package io.varve.infinispan;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.infinispan.commands.CommandInvocationId;
import org.infinispan.commons.marshall.WrappedByteArray;
import org.infinispan.metadata.Metadata;
import org.infinispan.remoting.transport.Address;
import org.jspecify.annotations.Nullable;

/// The conditional writes that this node has done lately in one cache, by the ids of their
/// commands, with what they left.
///
/// - DONE-1 The last record of a key is the last write of the key on this node, or there is none.
/// - DONE-2 A command whose record was dropped has an id that [#mayHaveForgotten] names.
final class DoneWrites {
  /// Longer than a command is repeated: each attempt takes at most the time that nodes wait for
  /// each other, 15 s unless set.
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(60);

  /// Of a record, its id and its entries in maps.
  private static final long RECORD_BYTES = 256;

  /// Of a value whose size is not known, as a list of Redis.
  private static final int VALUE_BYTES = 1_024;

  private final long bytesMax;
  private final Map<CommandInvocationId, Done> byId = new ConcurrentHashMap<>();
  private final Map<Object, Done> lastByKey = new ConcurrentHashMap<>();

  /// By age. Guarded by this.
  private final Queue<Done> byAge = new ArrayDeque<>();

  private long bytes; // guarded by this

  /// The highest id that was dropped, of those that each node has given.
  private final Map<Address, Long> forgotten = new ConcurrentHashMap<>();

  DoneWrites(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /// A write that was done: its value and metadata, null after a removal.
  static final class Done {
    private final CommandInvocationId id;
    private final Object key;
    private final long startNanos = System.nanoTime();
    private volatile boolean committed;
    private volatile @Nullable Outcome outcome; // null when a later write of the key came

    private Done(CommandInvocationId id, Object key, Outcome outcome) {
      this.id = id;
      this.key = key;
      this.outcome = outcome;
    }

    /// Whether the write is in memory, and not only in the store or under way.
    boolean isCommitted() {
      return committed;
    }

    /// What the write left, if it is the last of its key.
    @Nullable Outcome outcome() {
      return outcome;
    }
  }

  /// What a write leaves.
  ///
  /// @param value of the entry, or null if it was removed
  /// @param metadata of the entry
  /// @param answer to the caller, if this node knows it
  record Outcome(@Nullable Object value, @Nullable Metadata metadata, @Nullable Answer answer) {
    private int bytes() {
      return switch (value) {
        case null -> 0;
        case WrappedByteArray wrapped -> wrapped.getBytes().length;
        case byte[] array -> array.length;
        default -> VALUE_BYTES;
      };
    }
  }

  /// What a write answers.
  record Answer(@Nullable Object value) {}

  /// Takes down that a write is about to be committed.
  synchronized void add(CommandInvocationId id, Object key, Outcome outcome) {
    Done done = new Done(id, key, outcome);
    byId.put(id, done); // An earlier record of a repeated write goes with its age.
    supersede(key);
    lastByKey.put(key, done); // DONE-1
    byAge.add(done);
    bytes += bytesOf(done);
    dropOld();
  }

  private static long bytesOf(Done done) {
    Outcome outcome = done.outcome;
    return RECORD_BYTES + (outcome == null ? 0 : outcome.bytes());
  }

  private void dropOld() {
    for (Done oldest = byAge.peek(); oldest != null; oldest = byAge.peek()) {
      if (bytes <= bytesMax && System.nanoTime() - oldest.startNanos < KEPT_NANOS) {
        return;
      }
      byAge.remove();
      bytes -= bytesOf(oldest);
      forgotten.merge(oldest.id.getAddress(), oldest.id.getId(), Math::max); // DONE-2
      byId.remove(oldest.id, oldest);
      lastByKey.remove(oldest.key, oldest);
    }
  }

  /// Takes down that a key was written by a command that is not kept here.
  void overwritten(Object key) {
    if (lastByKey.containsKey(key)) {
      supersede(key);
    }
  }

  private synchronized void supersede(Object key) {
    Done last = lastByKey.remove(key);
    if (last != null) {
      bytes -= bytesOf(last) - RECORD_BYTES;
      last.outcome = null;
    }
  }

  /// Takes down that all keys were removed.
  void cleared() {
    lastByKey.keySet().forEach(this::supersede);
  }

  /// Takes down that a write is in memory.
  void commit(CommandInvocationId id) {
    Done done = byId.get(id);
    if (done != null) {
      done.committed = true;
    }
  }

  /// A write that was done here.
  @Nullable Done of(CommandInvocationId id) {
    return byId.get(id);
  }

  /// Whether a write that is not found may have been done here, too long ago.
  boolean mayHaveForgotten(CommandInvocationId id) {
    Long highest = forgotten.get(id.getAddress());
    return highest != null && id.getId() <= highest;
  }
}
