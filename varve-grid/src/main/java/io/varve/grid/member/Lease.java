package io.varve.grid.member;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.jgroups.Address;
import org.jgroups.EmptyMessage;
import org.jgroups.Event;
import org.jgroups.MergeView;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.ViewId;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/// Until when a node may answer by what it has: a lease that the others give it by their answers.
///
/// A node that was paused, or is cut off, does not know that the others continue without it. So it
/// asks each of them several times a second, and counts from the time at which it asked.
///
/// - LEASE-1 A node has a lease while more than half of its view, itself included, have answered
///   its question. It asked that question less than [#TERM_NANOS] ago, in the very view that it
///   has.
/// - LEASE-2 The first lease of a view is not given by answers of nodes that have a newer topology
///   of some cache: this node has come back then, and what it would read is old.
/// - LEASE-3 The term is shorter than the others need to take a node for failed that answers
///   nothing: `VERIFY_SUSPECT2` waits 3 s, and `FD_ALL3` longer, before a view without it.
/// - LEASE-4 A lease ends when the clock of the day has gone further than that of the process: the
///   whole machine stood still.
/// - LEASE-5 An era ends before the node has the first lease of a view in which sides of the
///   cluster meet. A node that the others have missed comes back by such a view alone. So one that
///   has leases at two times of one era was a member for them all the time between.
public final class Lease extends Protocol {
  private static final long TERM_NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);
  private static final long INTERVAL_MILLIS = 250;

  /// By which the clock of the day may be set at a time, without the end of a lease.
  private static final long CLOCK_SET_MILLIS_MAX = 1_000;

  private static final short PROTOCOL = 7_801;

  static {
    ClassConfigurator.addProtocol(PROTOCOL, Lease.class);
    ClassConfigurator.add(LeaseHeader.MAGIC, LeaseHeader.class);
  }

  /// When each node of the view was asked the last question that it has answered.
  private record Granted(View view, Map<Address, Long> sentNanos) {}

  /// Replaced with each view, so that no answer to an earlier one counts.
  private volatile @Nullable Granted granted;

  /// Written by threads that receive answers, read by those that answer clients: the end of the
  /// lease, as nanoTime, of one view.
  private volatile @Nullable Term term;

  private record Term(View view, long endNanos, long endMillis) {}

  private final AtomicLong era = new AtomicLong();
  private final Map<String, IntSupplier> caches = new ConcurrentHashMap<>();
  private @Nullable Future<?> questions;

  /// For JGroups, which makes it.
  public Lease() {
    id = PROTOCOL;
  }

  /// Takes a cache into account.
  ///
  /// @param topology gives the number of the topology that the node has of it, -1 for none
  void follow(String cache, IntSupplier topology) {
    caches.put(cache, topology);
  }

  /// Leaves a cache out.
  void unfollow(String cache) {
    caches.remove(cache);
  }

  /// The view in which the node has a lease now, or null if it has none.
  @Nullable View current() {
    Term now = term;
    return now != null
            && System.nanoTime() - now.endNanos < 0
            && System.currentTimeMillis() < now.endMillis // LEASE-4
        ? now.view
        : null;
  }

  /// The number of the era, to be compared with one of another time. LEASE-5
  long era() {
    return era.get();
  }

  @Override
  public void start() throws Exception {
    super.start();
    questions =
        getTransport()
            .getTimer()
            .scheduleAtFixedRate(
                this::ask, INTERVAL_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS, false);
  }

  @Override
  public void stop() {
    if (questions != null) {
      questions.cancel(true);
    }
    era.incrementAndGet();
    granted = null;
    term = null;
    super.stop();
  }

  @Override
  public Object down(Event event) {
    if (event.getType() == Event.VIEW_CHANGE) {
      if (event.getArg() instanceof MergeView) {
        era.incrementAndGet(); // LEASE-5
      }
      granted = new Granted(event.getArg(), new ConcurrentHashMap<>());
      term = null;
      Object result = down_prot.down(event);
      ask();
      return result;
    }
    return down_prot.down(event);
  }

  private void ask() {
    Granted now = granted;
    if (now == null) {
      return;
    }
    long nanos = System.nanoTime();
    extend(now);
    for (Address member : now.view.getMembersRaw()) {
      if (!member.equals(local_addr)) {
        send(member, LeaseHeader.question(nanos));
      }
    }
  }

  private void send(Address to, LeaseHeader header) {
    down_prot.down(
        new EmptyMessage(to)
            .setSrc(local_addr)
            .putHeader(id, header)
            .setFlag(Message.Flag.OOB, Message.Flag.NO_FC, Message.Flag.NO_RELIABILITY)
            .setFlag(Message.TransientFlag.DONT_BLOCK));
  }

  @Override
  public Object up(Message message) {
    LeaseHeader header = message.getHeader(id);
    if (header == null) {
      return up_prot.up(message);
    }
    received(message.getSrc(), header);
    return message; // The return value is not used.
  }

  @Override
  public void up(MessageBatch batch) {
    for (var messages = batch.iterator(); messages.hasNext(); ) {
      Message message = messages.next();
      LeaseHeader header = message.getHeader(id);
      if (header != null) {
        messages.remove();
        received(message.getSrc(), header);
      }
    }
    if (!batch.isEmpty()) {
      up_prot.up(batch);
    }
  }

  private void received(Address from, LeaseHeader header) {
    Granted now = granted;
    if (now == null) {
      return;
    }
    ViewId view = now.view.getViewId();
    if (!header.isAnswer()) {
      send(from, LeaseHeader.answer(header.sentNanos(), view, topologies()));
    } else if (view.equals(header.view())
        && (isCurrent(now) || !isStale(header.topologies()))) { // LEASE-2
      now.sentNanos.merge(from, header.sentNanos(), Math::max);
      extend(now);
    }
  }

  private Map<String, Integer> topologies() {
    Map<String, Integer> topologies = new HashMap<>();
    caches.forEach((name, topology) -> topologies.put(name, topology.getAsInt()));
    return topologies;
  }

  private boolean isCurrent(Granted now) {
    return now.view.equals(current());
  }

  private boolean isStale(Map<String, Integer> topologies) {
    for (var cache : caches.entrySet()) {
      if (cache.getValue().getAsInt() < topologies.getOrDefault(cache.getKey(), -1)) {
        return true;
      }
    }
    return false;
  }

  /// Counts the answers, and moves the end of the lease. LEASE-1
  private void extend(Granted now) {
    long nanos = System.nanoTime();
    int others = now.view.size() / 2; // that make more than half with this node
    long sinceNanos = nanos;
    if (others > 0) {
      long[] ages = now.sentNanos.values().stream().mapToLong(sent -> nanos - sent).toArray();
      if (ages.length < others) {
        return;
      }
      Arrays.sort(ages);
      sinceNanos = nanos - ages[others - 1];
    }
    long leftMillis = TimeUnit.NANOSECONDS.toMillis(sinceNanos + TERM_NANOS - nanos);
    term =
        new Term(
            now.view,
            sinceNanos + TERM_NANOS,
            System.currentTimeMillis() + leftMillis + CLOCK_SET_MILLIS_MAX);
  }
}
