package io.varve.infinispan;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.infinispan.commands.CommandInvocationId;
import org.infinispan.commands.write.AbstractDataWriteCommand;
import org.infinispan.commons.marshall.WrappedByteArray;
import org.infinispan.metadata.Metadata;
import org.infinispan.remoting.transport.Address;
import org.jspecify.annotations.Nullable;

/// The conditional writes that this node has done lately in one cache, by the ids of their
/// commands, with what they left.
///
/// - DONE-1 The last record of a key is the last write of the key on this node, or there is none.
/// - DONE-2 A command whose record was dropped has an id that [#mayHaveForgotten] names.
/// - DONE-3 A write that another followed took effect if its primary owner committed it, or if the
///   one that followed saw it. A backup that has committed it proves nothing: the primary owner may
///   have failed it after that, and evaluated the one that followed without it.
/// - DONE-4 A record shows nothing if this node was no owner of the key since: what others wrote in
///   that time it was not sent.
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

  /// The last topology in which this node was no owner, by segment.
  private final Map<Integer, Integer> lost = new ConcurrentHashMap<>();

  DoneWrites(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /// A write that was done: its value and metadata, null after a removal.
  static final class Done {
    private final CommandInvocationId id;
    private final Object key;
    private final int segment;
    private final int topology;
    private final long startNanos = System.nanoTime();
    private volatile boolean committed;
    private volatile boolean effective;
    private volatile @Nullable Outcome outcome; // null when a later write of the key came

    private Done(AbstractDataWriteCommand write, Outcome outcome) {
      id = write.getCommandInvocationId();
      key = write.getKey();
      segment = write.getSegment();
      topology = write.getTopologyId();
      this.outcome = outcome;
    }

    /// Whether the write is known to have taken effect (DONE-3), where another has followed.
    boolean isEffective() {
      return effective;
    }

    /// What the write left, if it is the last of its key.
    @Nullable Outcome outcome() {
      return outcome;
    }
  }

  /// What the write that follows shows of the one before it (DONE-3).
  @FunctionalInterface
  interface Follower {
    /// Of a write that takes what it finds.
    Follower UNCONDITIONAL = (_, committed) -> committed;

    /// Whether a write that left this took effect before the one that follows.
    ///
    /// @param committed whether this node has it in memory
    boolean saw(Outcome left, boolean committed);
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
  ///
  /// @param follower what it shows of the write before it
  synchronized void add(AbstractDataWriteCommand write, Outcome outcome, Follower follower) {
    Done done = new Done(write, outcome);
    byId.put(done.id, done); // An earlier record of a repeated write goes with its age.
    supersede(done.key, follower);
    lastByKey.put(done.key, done); // DONE-1
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
  void overwritten(Object key, Follower follower) {
    if (lastByKey.containsKey(key)) {
      supersede(key, follower);
    }
  }

  private synchronized void supersede(Object key, Follower follower) {
    Done last = lastByKey.remove(key);
    if (last == null) {
      return;
    }
    bytes -= bytesOf(last) - RECORD_BYTES;
    Outcome left = last.outcome;
    last.outcome = null;
    if (left != null && follower.saw(left, last.committed)) {
      last.effective = true;
    }
  }

  /// Takes down that all keys were removed.
  void cleared() {
    lastByKey.keySet().forEach(key -> supersede(key, Follower.UNCONDITIONAL));
  }

  /// Takes down that a write is in memory.
  ///
  /// @param everywhere whether that is known of all owners, as their primary owner commits last
  void commit(CommandInvocationId id, boolean everywhere) {
    Done done = byId.get(id);
    if (done != null) {
      done.committed = true;
      if (everywhere) {
        done.effective = true;
      }
    }
  }

  /// Takes down that this node does not own a segment in a topology.
  void lost(int segment, int topology) {
    lost.merge(segment, topology, Math::max);
  }

  /// A write that was done here.
  @Nullable Done of(CommandInvocationId id) {
    return byId.get(id);
  }

  /// Whether this node has owned a write's key ever since (DONE-4).
  boolean isOwnedSince(Done done) {
    return lost.getOrDefault(done.segment, Integer.MIN_VALUE) < done.topology;
  }

  /// Whether a write that is not found may have been done here, too long ago.
  boolean mayHaveForgotten(CommandInvocationId id) {
    Long highest = forgotten.get(id.getAddress());
    return highest != null && id.getId() <= highest;
  }
}
