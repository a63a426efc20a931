package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Store;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.store.StoreOpener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Cuts the power of a machine, as seen from its system calls: real processes commit, checkpoint,
/// recover and are killed, and all that they write and force is recorded. At each of many points
/// the disk is rebuilt as a loss of power may leave it. Each is recovered, and must hold what was
/// acknowledged by then (D1, D2, D3).
///
/// `-Dvarve.crash.states=n` sets how many, `-Dvarve.seed=n` which; processes differ from run to run
/// all the same.
@Tag("slow")
@Timeout(value = 80_000, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CrashStatesTest {
  private static final int STATES =
      Integer.getInteger("varve.crash.states", BuildFigures.CRASH_STATES);
  private static final long SEED = Long.getLong("varve.seed", 1);

  /// Within so many states a disk that pretends must be found out.
  private static final int STATES_TO_FIND = 400;

  @TempDir Path directory;

  @Test
  void statesOfRealDisksHoldWhatWasAcknowledgedD1D2D3() throws Exception {
    int states = run(STATES, _ -> true);
    System.out.println("crash states from real traces: " + states + ", failures: 0");
    assertThat(states).isGreaterThanOrEqualTo(STATES);
  }

  /// A test of the test: of a disk whose synchronous writes and forces do nothing, states lack
  /// commits that were acknowledged.
  @Test
  void aDiskThatForcesNothingIsFoundOut() {
    assertThatThrownBy(
            () -> run(STATES_TO_FIND, event -> event.kind() == TraceEvent.Kind.FORCE_DIRECTORY))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("after a loss of power");
  }

  /// Runs histories until so many states were recovered.
  private int run(int statesWanted, Predicate<TraceEvent> believed) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    int states = 0;
    for (int history = 0; states < statesWanted; history++) {
      Path scratch = Files.createDirectory(directory.resolve("history-" + history));
      states += new CrashStates(scratch, random.split(), believed).run();
    }
    return states;
  }

  /// A history of one store: some lives, each of a process of its own, and the states of each.
  private static final class CrashStates {
    private static final int WRITERS = 4;
    private static final int LIVES_MAX = 4;
    private static final int LINES_MAX = 1500;

    /// Of the records of a life, as many are followed by a loss of power.
    private static final int STATES_PER_LIFE = 80;

    private static final List<KillPhase> PHASES =
        List.of(KillPhase.ANYWHERE, KillPhase.CHECKPOINT, KillPhase.COMPACTION, KillPhase.CLOSE);

    private final Path store;
    private final Path scratch;
    private final SystemCallTrace trace;
    private final SplittableRandom random;
    private final TracedDisk disk;
    private final PrefixOracle oracle = new PrefixOracle();
    private final List<TrackedWriter> writers = new ArrayList<>();
    private final StringBuilder line = new StringBuilder();
    private Model held = new Model();
    private Crash lastEnd = Crash.CLEAN_CLOSE;
    private boolean settled = true;
    private int states;

    CrashStates(Path scratch, SplittableRandom random, Predicate<TraceEvent> believed)
        throws IOException, InterruptedException {
      this.scratch = scratch;
      this.store = Files.createDirectory(scratch.resolve("store"));
      this.trace = new SystemCallTrace(scratch, store);
      this.random = random;
      this.disk = new TracedDisk(believed);
      for (int i = 0; i < WRITERS; i++) {
        writers.add(oracle.writer("w" + i + "/"));
      }
    }

    /// Returns how many states were recovered.
    int run() throws Exception {
      for (int lives = 2 + random.nextInt(LIVES_MAX - 1); lives > 0; lives--) {
        live();
      }
      return states;
    }

    private void live() throws Exception {
      KillPhase phase = PHASES.get(random.nextInt(PHASES.size()));
      long seed = random.nextLong();
      runProcess(new KillOrder(phase, Integer.MAX_VALUE, /* holds= */ false), seed);
      List<TraceEvent> events = new ArrayList<>();
      trace.drain(events::add);
      KillListener listener = new KillListener(writers, seed, held);
      String what = "seed=" + seed + ", phase=" + phase;
      for (int i = 0; i < events.size(); i++) {
        TraceEvent event = events.get(i);
        disk.apply(event);
        if (event.kind() == TraceEvent.Kind.LINE) {
          hear(event, listener);
        }
        if (random.nextInt(events.size()) < STATES_PER_LIFE) {
          requireHoldsAcknowledged(listener, what + ", record=" + i + " of " + events.size());
        }
      }
      disk.takeOver(store);
      lastEnd = listener.closed() ? Crash.CLEAN_CLOSE : Crash.PROCESS;
      held = heldByCopy();
      settled = false;
    }

    /// What the process printed is settled when the next one has opened the store: what it shows
    /// then, no loss of power may take.
    private void hear(TraceEvent event, KillListener listener) {
      line.append(new String(event.bytes(), StandardCharsets.UTF_8));
      for (int end = line.indexOf("\n"); end >= 0; end = line.indexOf("\n")) {
        listener.hear(line.substring(0, end));
        line.delete(0, end + 1);
        if (listener.opened() && !settled) {
          oracle.settle(held, lastEnd);
          settled = true;
        }
      }
    }

    /// Runs a child until it closes its store, or has printed enough and is killed.
    private void runProcess(KillOrder order, long seed) throws Exception {
      int linesMax = 1 + random.nextInt(LINES_MAX);
      String[] arguments = KillChild.arguments(store, seed, WRITERS, order);
      try (ChildJvm child = ChildJvm.start(trace.environment(), KillChild.class, arguments)) {
        int lines = 0;
        for (String said = child.readLine(); said != null; said = child.readLine()) {
          if (++lines == linesMax) {
            child.kill();
          }
        }
        child.exitCode();
      }
      line.setLength(0); // what a kill cut short was not printed
    }

    private void requireHoldsAcknowledged(KillListener listener, String where) {
      long seed = random.nextLong();
      SplittableRandom choices = new SplittableRandom(seed);
      Crash crash = listener.closed() ? Crash.CLEAN_CLOSE : Crash.POWER;
      FaultyDisk after = disk.afterPowerCut(choices);
      try (Store recovered =
          StoreOpener.open(
              after, Clock.SYSTEM, StoreThreads.PLATFORM, Stores.random(choices.split()))) {
        recovered.verify().requireSound();
        oracle.check(Model.of(recovered), crash);
      } catch (Throwable e) {
        throw new AssertionError("after a loss of power: " + where + ", state=" + seed, e);
      }
      states++;
    }

    private Model heldByCopy() throws IOException {
      try (Store recovered =
          StoreOpener.open(
              disk.afterProcessCrash(random.split()),
              Clock.SYSTEM,
              StoreThreads.PLATFORM,
              Stores.tiny())) {
        return Model.of(recovered);
      } catch (Throwable e) {
        throw new AssertionError("after the death of a process: scratch=" + scratch, e);
      }
    }
  }
}
