package io.varve.infinispan.mapreduce;

import io.varve.cache.mapreduce.MapFigures;
import io.varve.cache.mapreduce.Pages;
import io.varve.cache.mapreduce.Parts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.util.IntSet;
import org.infinispan.commons.util.IntSets;
import org.infinispan.distribution.DistributionManager;
import org.infinispan.distribution.ch.ConsistentHash;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.remoting.transport.Address;

/// A job over the nodes of a cluster, on the one that leads it.
///
/// (C1) Each segment is with one part, or among those to be given to one. A part loses segments
/// that its node reports as not mapped, and all of them when its node leaves; then it counts no
/// more, with all that it mapped. So when all are with parts that have mapped, each entry is
/// counted once.
final class ClusterParts implements Parts {
  private final AdvancedCache<?, ?> cache;
  private final EmbeddedCacheManager manager;
  private final byte[] plan;

  /// Those that count: that have segments. Written by the leader, read by any.
  private final List<RemotePart> parts = new CopyOnWriteArrayList<>();

  /// All that were ever started: each is to be closed. For the leader.
  private final List<RemotePart> started = new ArrayList<>();

  ClusterParts(AdvancedCache<?, ?> cache, byte[] plan) {
    this.cache = cache;
    this.manager = cache.getCacheManager();
    this.plan = plan;
  }

  @Override
  public List<Pages> map() throws InterruptedException {
    int count = cache.getCacheConfiguration().clustering().hash().numSegments();
    IntSet waiting = IntSets.mutableCopyFrom(IntSets.immutableRangeSet(count));
    long timeout = cache.getCacheConfiguration().clustering().stateTransfer().timeout();
    long lastMove = System.nanoTime();
    long pauseMillis = RemotePart.longer(0);
    while (true) {
      RemotePart.requireRunning(manager);
      int before = waiting.size();
      waiting = startParts(waiting);
      waiting.addAll(polled());
      if (waiting.isEmpty() && parts.stream().allMatch(RemotePart::isMapped)) {
        return List.copyOf(parts);
      }
      if (waiting.size() < before || waiting.isEmpty()) {
        lastMove = System.nanoTime();
      } else if (System.nanoTime() - lastMove > TimeUnit.MILLISECONDS.toNanos(timeout)) {
        throw new ClusterJobException(
            "segments have no owner that maps them: segments="
                + waiting
                + ", waitedMillis="
                + timeout
                + "; run the job again when the cluster is whole");
      }
      // Parts take their time, and so does a topology that gives segments to nodes that have left.
      TimeUnit.MILLISECONDS.sleep(pauseMillis);
      pauseMillis = RemotePart.longer(pauseMillis);
    }
  }

  /// Gives segments to the nodes that own them now.
  ///
  /// @return those that were refused
  private IntSet startParts(IntSet waiting) throws InterruptedException {
    Map<Optional<Address>, IntSet> owners = new HashMap<>();
    for (int segment : waiting.toIntArray()) {
      owners.computeIfAbsent(owner(segment), _ -> IntSets.mutableEmptySet()).set(segment);
    }
    List<RemotePart> starting = new ArrayList<>();
    owners.forEach((owner, segments) -> {
      RemotePart part = new RemotePart(manager, owner.orElse(null), segments);
      if (part.isMember()) {
        starting.add(part);
        started.add(part); // before it is: whatever happens, it is closed
        parts.add(part);
        part.start(cache.getName(), plan);
      }
    });
    IntSet left = IntSets.mutableCopyFrom(waiting);
    starting.forEach(part -> left.removeAll(part.segments()));
    for (RemotePart part : starting) {
      left.addAll(part.awaitLost());
    }
    return left;
  }

  /// The node that maps a segment: its first owner of those that hold all of it. Empty if there are
  /// no other nodes.
  private Optional<Address> owner(int segment) {
    DistributionManager distribution = cache.getDistributionManager();
    if (distribution == null) {
      return Optional.ofNullable(manager.getAddress());
    }
    ConsistentHash owners = distribution.getCacheTopology().getReadConsistentHash();
    return Optional.of(owners.locatePrimaryOwnerForSegment(segment));
  }

  /// Asks all parts that have not mapped how far they are.
  ///
  /// @return segments that have lost their part
  private IntSet polled() throws InterruptedException {
    List<RemotePart> asked = parts.stream().filter(part -> !part.isMapped()).toList();
    asked.forEach(RemotePart::poll);
    IntSet lost = IntSets.mutableEmptySet();
    for (RemotePart part : asked) {
      lost.addAll(part.awaitLost());
    }
    for (RemotePart part : parts) { // also those that have mapped
      if (!part.isMember()) {
        lost.addAll(part.giveAll());
      }
    }
    parts.removeIf(part -> part.segments().isEmpty());
    return lost;
  }

  @Override
  public MapFigures figures() {
    return parts.stream().map(RemotePart::figures).reduce(MapFigures.NONE, MapFigures::plus);
  }

  @Override
  public void close() {
    CompletableFuture<?> closed =
        CompletableFuture.allOf(
            started.stream()
                .map(part -> part.close().exceptionally(_ -> new Reply.Leaving()))
                .toArray(CompletableFuture[]::new));
    // Joined, since nothing interrupts that; and not forever, since this node may stop.
    while (!closed.isDone() && manager.getStatus().allowInvocations()) {
      closed.copy().completeOnTimeout(null, RemotePart.STOP_LOOK_SECONDS, TimeUnit.SECONDS).join();
    }
  }
}
