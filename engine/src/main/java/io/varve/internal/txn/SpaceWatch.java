package io.varve.internal.txn;

import io.varve.Commit;
import io.varve.Durability;
import io.varve.Snapshot;
import io.varve.Visibility;
import io.varve.Watch;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StackProbe;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A [Watch] of a space. It is among the [Watches] from its first start to its close.
public final class SpaceWatch implements Watch {
  private final SpaceCore space;
  private final CommitContext commits;
  private final Snapshots snapshots;
  private final Clock clock;
  private final Visibility visibility;
  private final WatchQueue queue;
  private boolean started;
  private volatile boolean closed;

  private SpaceWatch(
      SpaceCore space, Snapshots snapshots, Clock clock, Visibility visibility, WatchQueue queue) {
    this.space = space;
    this.commits = snapshots.commits();
    this.snapshots = snapshots;
    this.clock = clock;
    this.visibility = visibility;
    this.queue = queue;
  }

  /// Makes a watch that is not started.
  public static SpaceWatch of(
      SpaceCore space, Snapshots snapshots, Clock clock, Visibility visibility, long bytesMax) {
    return new SpaceWatch(space, snapshots, clock, visibility, new WatchQueue(bytesMax));
  }

  @Override
  public Snapshot start() {
    requireUsable();
    StoreSnapshot snapshot = snapshots.take(visibility, this::restart);
    boolean isRight = false;
    try {
      requireUsable(); // or a close has found nothing to remove
      isRight = true;
      return snapshot;
    } finally {
      if (!isRight) {
        space.watches().remove(queue);
        snapshot.close();
      }
    }
  }

  private void restart() {
    queue.restart();
    space.watches().add(queue);
    started = true;
  }

  private void requireUsable() {
    space.requireUsable();
    if (closed) {
      throw new IllegalStateException("the watch is closed: space=" + space.name());
    }
  }

  @Override
  public @Nullable Committed next(Duration timeout) {
    StackProbe.require();
    commits.lifecycle().requireOpen();
    if (!started) {
      throw new IllegalStateException(
          "the watch was not started: space=" + space.name() + "; call start, read its snapshot");
    }
    WatchQueue.Node node = await(TimeUnit.NANOSECONDS.convert(timeout));
    if (node == null) {
      return null;
    }
    if (visibility == Visibility.DURABLE) {
      commits.log().await(node.commit(), Durability.POWER_LOSS);
    }
    queue.take(node);
    return new Committed(new Commit(node.commit()), node.changes());
  }

  private WatchQueue.@Nullable Node await(long nanos) {
    long since = clock.nanoTime();
    boolean interrupted = false;
    queue.waits(Thread.currentThread()); // before the look at the queue: no wake-up is lost
    try {
      while (true) {
        boolean isUsable = isUsable(); // before the look: what was reported before the end is taken
        WatchQueue.Node node = closed ? null : queue.peek();
        if (node != null) {
          return node;
        }
        if (!isUsable) {
          requireUsable();
        }
        long left = nanos - (clock.nanoTime() - since);
        if (left <= 0) {
          return null;
        }
        clock.parkNanos(this, left);
        interrupted |= Thread.interrupted();
      }
    } finally {
      queue.waits(null);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean isUsable() {
    commits.lifecycle().requireOpen();
    return !closed && !space.tree().isEnded();
  }

  @Override
  public void close() {
    closed = true;
    space.watches().remove(queue);
    queue.wake();
  }
}
