package io.varve.test.simulation;

import io.varve.Store;
import io.varve.test.Model;
import io.varve.test.SimulatedThreads;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What happens to a store as a whole: it is opened, checked, used by some threads, and closed or
/// crashed, several times over. Runs as the first of its simulated threads.
final class History implements Runnable {
  /// Far more turns than any history of default length takes, and for each step that a longer one
  /// may have: a store that takes more is at work for no end.
  private static final long TURNS_MAX = 8_000_000;

  private static final long TURNS_PER_STEP_MAX = 40_000;

  private static final int LIVES_MAX = 4;

  /// The store of one seed in so many is encrypted.
  private static final int ENCRYPTED_SHARE = 4;

  /// One history in so many compresses pages in every other life.
  private static final int COMPRESSED_SHARE = 5;

  /// The store of one seed in so many holds items.
  private static final int ITEMS_SHARE = 3;

  private final SimulationOptions options;
  private final SplittableRandom random;
  private final SimulatedThreads threads;
  private final Machine machine;
  private final Timeline timeline = new Timeline();
  private final @Nullable ItemHistory items;
  private final Opening opening;
  private final Promises promises = new Promises();
  private final List<FaultKind> kinds;
  private final Sizes sizes;
  private long commits;

  /// Runs the history of a seed on stores with a defect.
  static SimulationResult run(
      long seed, SimulationOptions options, @Nullable Consumer<String> lines, Planted planted) {
    var threads = new SimulatedThreads(seed);
    long steps = (long) options.stepsMax() * options.threadsMax();
    threads.turnsMax(Math.max(TURNS_MAX, TURNS_PER_STEP_MAX * steps));
    var history = new History(seed, options, threads, new Trace(threads, lines), planted);
    try {
      threads.run(history);
    } catch (Throwable e) {
      throw new SimulationFailedError(seed, options, e);
    }
    return history.result();
  }

  History(
      long seed,
      SimulationOptions options,
      SimulatedThreads threads,
      Trace trace,
      Planted planted) {
    this.options = options;
    this.random = new SplittableRandom(seed);
    this.threads = threads;
    this.machine =
        new Machine(
            options,
            threads,
            random.split(),
            new Faults(threads, random.split(), trace),
            trace,
            planted);
    this.items =
        Long.remainderUnsigned(seed, ITEMS_SHARE) == 0
            ? new ItemHistory(SimulatedThreads.isWoven())
            : null;
    this.sizes = Sizes.of(random);
    this.opening =
        new Opening(
            machine,
            timeline,
            promises,
            items,
            sizes,
            new Opening.Images(
                Long.remainderUnsigned(seed, ENCRYPTED_SHARE) == 0,
                Long.remainderUnsigned(seed, COMPRESSED_SHARE) == 0));
    this.kinds = List.copyOf(new TreeSet<>(options.faults()));
  }

  /// What happened, once it has come to its end.
  SimulationResult result() {
    return new SimulationResult(
        threads.digest(),
        threads.turns(),
        threads.nanoTime(),
        commits,
        machine.crashes(),
        opening.opens(),
        machine.diskCalls());
  }

  @Override
  public void run() {
    int lives = 1 + random.nextInt(LIVES_MAX);
    for (int i = 0; i < lives; i++) {
      OpenedStore opened = opening.open(kinds.get(random.nextInt(kinds.size())), true);
      if (opened == null) {
        return; // the disk had lied, and the store reports it
      }
      Life life = new Life(opened, machine, timeline, promises, items, sizes);
      life.run(options, Integer.toString(i), i == 0);
      commits += life.commits();
      machine.restore();
    }
    OpenedStore last = opening.open(FaultKind.NONE, false);
    if (last != null && !machine.faults().lied()) {
      finish(last);
    }
  }

  /// The store must be sound and small, and once more show the same after it was closed.
  private void finish(OpenedStore opened) {
    Store last = opened.store();
    if (items != null) {
      ItemContent.requireMerged(last);
    }
    Model content = Model.of(last);
    Soundness.require(last, opened.budgets());
    Soundness.requireCompacted(last, content.valueBytesMax());
    last.close();
    OpenedStore again = opening.open(FaultKind.NONE, false);
    if (again == null) {
      throw new AssertionError("store that was closed does not open");
    }
    content.requireEqual(Model.of(again.store()), "closed and opened again");
    again.store().close();
  }
}
