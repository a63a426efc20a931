package io.varve.cli.transfer;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/// Commits entries in batches, several batches concurrently. Entries are dealt to lanes by key, and
/// a lane commits its batches in order, so of two entries with one key the later stays.
///
/// Called by one thread.
public final class BatchLoader implements AutoCloseable {
  /// Ends a batch early, so that memory stays bounded whatever the values are.
  private static final long BATCH_BYTES_MAX = 2 << 20;

  /// The most lanes: more transactions are no faster, and each lane holds batches in memory.
  public static final int LANES_MAX = 1_024;

  /// Batches that wait or commit, for each lane: one commits while the next is made ready.
  private static final int BATCHES_PER_LANE_MAX = 2;

  /// What was loaded.
  public record Totals(long entries, long bytes, long commits) {}

  private final Store store;
  private final Durability durability;
  private final int batchEntries;
  private final Lane[] lanes;
  private final Semaphore batchPermits;
  private final ExecutorService committers = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Space> spaces = new HashMap<>();
  private final LongAdder entries = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder commits = new LongAdder();

  /// Makes a loader into `store`.
  public BatchLoader(Store store, Durability durability, int laneCount, int batchEntries) {
    this.store = store;
    this.durability = durability;
    this.batchEntries = batchEntries;
    lanes = new Lane[laneCount];
    Arrays.setAll(lanes, _ -> new Lane());
    batchPermits = new Semaphore(laneCount * BATCHES_PER_LANE_MAX);
  }

  /// Takes an entry; commits it now or later.
  ///
  /// @throws io.varve.VarveException if an earlier batch failed
  public void add(Incoming incoming) {
    Space space = spaces.computeIfAbsent(incoming.space(), name -> SpaceNames.make(store, name));
    Lane lane = lanes[Math.floorMod(Arrays.hashCode(incoming.key()), lanes.length)];
    switch (incoming) {
      case Incoming.Whole whole -> {
        lane.batch.add(new Change(space, whole));
        lane.batchBytes += whole.key().length + whole.valueBytes();
        if (lane.batch.size() >= batchEntries || lane.batchBytes >= BATCH_BYTES_MAX) {
          commitBatch(lane);
        }
      }
      case Incoming.Streamed streamed -> {
        commitBatch(lane); // Keeps the order of the lane.
        submit(lane, () -> putStream(space, streamed));
      }
    }
  }

  /// Commits what is left and waits for all commits.
  ///
  /// @throws io.varve.VarveException if a batch failed
  public Totals finish() {
    for (Lane lane : lanes) {
      commitBatch(lane);
    }
    for (Lane lane : lanes) {
      lane.requireSuccess();
    }
    return totals();
  }

  /// What has been loaded by now.
  public Totals totals() {
    return new Totals(entries.sum(), bytes.sum(), commits.sum());
  }

  private void commitBatch(Lane lane) {
    if (!lane.batch.isEmpty()) {
      List<Change> batch = lane.batch;
      lane.batch = new ArrayList<>();
      lane.batchBytes = 0;
      submit(lane, () -> commit(batch));
    }
  }

  private void submit(Lane lane, Runnable work) {
    if (lane.last.isCompletedExceptionally()) {
      lane.requireSuccess();
    }
    // Not interruptible: the batch would be lost, and others after it committed.
    batchPermits.acquireUninterruptibly();
    // After a failure the rest of the lane is passed over.
    lane.last =
        lane.last.thenRunAsync(work, committers).whenComplete((_, _) -> batchPermits.release());
  }

  private void commit(List<Change> batch) {
    store.transact(
        durability,
        transaction -> {
          for (Change change : batch) {
            transaction.put(change.space, change.whole.key(), change.whole.entry().value());
          }
        });
    commits.increment();
    for (Change change : batch) {
      count(change.whole);
    }
  }

  private void putStream(Space space, Incoming.Streamed streamed) {
    try (InputStream content = streamed.tree().open(streamed.item())) {
      space.put(streamed.key(), content, streamed.valueBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    commits.increment();
    count(streamed);
  }

  private void count(Incoming incoming) {
    entries.increment();
    bytes.add(incoming.key().length + incoming.valueBytes());
  }

  /// Waits for the commits under way, and forgets what was not committed.
  @Override
  public void close() {
    committers.close();
  }

  private record Change(Space space, Incoming.Whole whole) {}

  /// Entries whose keys hash alike: a batch that is being gathered, and the end of the chain of
  /// those before it.
  private static final class Lane {
    private List<Change> batch = new ArrayList<>();
    private long batchBytes;
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    void requireSuccess() {
      try {
        last.join();
      } catch (CompletionException e) {
        if (e.getCause() instanceof RuntimeException cause) {
          throw cause;
        }
        throw e;
      }
    }
  }
}
