package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the system does to a real process under load, on real files: its calls fail with errors of
/// the device or a full disk, or take half of what they are given. The process is also stopped and
/// continued. The store may refuse what it is asked, by exceptions of its own; what it acknowledged
/// is there when it is opened again (D1, D2, D4).
///
/// `-Dvarve.failing.calls=n` sets how many processes, `-Dvarve.seed=n` which calls fail.
@Tag("slow")
@Timeout(value = 80_000, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailingCallsTest {
  private static final int ROUNDS =
      Integer.getInteger("varve.failing.calls", BuildFigures.FAILING_PROCESSES);
  private static final int WRITERS = 4;

  /// A process prints this many lines before it is asked to end; it is stopped twice until then.
  private static final int LINES_OF_A_LIFE = 900;

  private static final long STOPPED_MILLIS = 200;

  private final SplittableRandom random = new SplittableRandom(Long.getLong("varve.seed", 1));
  private final PrefixOracle oracle = new PrefixOracle();
  private final List<TrackedWriter> writers = new ArrayList<>();
  private Model held = new Model();

  @TempDir Path directory;
  private Path store;

  @BeforeEach
  void makeStore() throws Exception {
    store = Files.createDirectory(directory.resolve("store")).toRealPath();
    for (int i = 0; i < WRITERS; i++) {
      writers.add(oracle.writer("w" + i + "/"));
    }
  }

  @Test
  void whatWasAcknowledgedSurvivesFailingCallsD1D2D4() throws Exception {
    Path library = NativeLibrary.compile("fail", directory);
    Path report = directory.resolve("report");
    int failed = 0;
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      FailingCalls calls = FailingCalls.random(round, random);
      long seed = random.nextLong();
      String what = calls + ", seed=" + seed;
      KillListener listener = new KillListener(writers, seed, held);
      try (ChildJvm child =
          ChildJvm.start(
              calls.environment(library, store, report), KillChild.class, arguments(seed))) {
        hear(child, listener, _ -> {});
        assertThat(child.exitCode()).as(what).isZero();
      }
      int failures = FailingCalls.count(report);
      failed += failures > 0 ? 1 : 0;
      refused += listener.failed() ? 1 : 0;
      assertThat(listener.failed() && failures == 0).as("refused for nothing: " + what).isFalse();
      settle(failures > 0 ? Crash.PROCESS : Crash.CLEAN_CLOSE, what);
    }
    System.out.printf("processes=%d, calls failed in=%d, refused=%d%n", ROUNDS, failed, refused);
    assertThat(failed).as("processes in which calls failed").isGreaterThan(ROUNDS / 4);
    assertThat(refused).as("stores that refused something").isPositive();
  }

  @Test
  void aStoppedProcessContinues() throws Exception {
    long seed = random.nextLong();
    KillListener listener = new KillListener(writers, seed, held);
    int[] lines = {0};
    try (ChildJvm child = ChildJvm.start(KillChild.class, arguments(seed))) {
      hear(
          child,
          listener,
          _ -> {
            lines[0]++;
            if (lines[0] == LINES_OF_A_LIFE / 3 || lines[0] == LINES_OF_A_LIFE / 2) {
              stopAndContinue(child.pid());
            } else if (lines[0] == LINES_OF_A_LIFE) {
              child.terminate();
            }
          });
    }
    assertThat(listener.closed()).as("store was closed").isTrue();
    settle(Crash.CLEAN_CLOSE, "stopped and continued, seed=" + seed);
  }

  private String[] arguments(long seed) {
    KillOrder never = new KillOrder(KillPhase.ANYWHERE, Integer.MAX_VALUE, /* holds= */ false);
    return KillChild.arguments(store, seed, WRITERS, never);
  }

  private static void hear(ChildJvm child, KillListener listener, Consumer<String> then)
      throws Exception {
    for (String line = child.readLine(); line != null; line = child.readLine()) {
      listener.hear(line);
      then.accept(line);
    }
  }

  /// A process is stopped for a while. How long does not matter to the outcome.
  private static void stopAndContinue(long pid) {
    try {
      signal("STOP", pid);
      TimeUnit.MILLISECONDS.sleep(STOPPED_MILLIS);
      signal("CONT", pid);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void signal(String name, long pid) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).inheritIO().start();
    assertThat(kill.waitFor()).as("kill -" + name).isZero();
  }

  private void settle(Crash crash, String what) {
    try (Store recovered = Store.open(store, Stores.random(random))) {
      held = Model.of(recovered);
      recovered.verify().requireSound();
      oracle.settle(held, crash);
    } catch (Throwable e) {
      throw new AssertionError("after: " + what, e);
    }
  }
}
