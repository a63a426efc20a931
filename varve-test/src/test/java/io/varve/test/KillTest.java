package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Store;
import io.varve.admin.Backups;
import io.varve.admin.RestoreTo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Kills a real process under load on real files, again and again, anywhere and in each phase of
/// its work, recovery included: every commit that it saw acknowledged with more than `BACKGROUND`
/// is there, in a prefix of the commit order (D1, D2, D3), and the store verifies.
///
/// `-Dvarve.kills=n` sets how many kills, `-Dvarve.seed=n` which.
@Tag("slow")
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KillTest {
  private static final int KILLS = Integer.getInteger("varve.kills", BuildFigures.KILLS);
  private static final int WRITERS = 4;

  /// Lines after which a child is killed that has not come to its call.
  private static final int LINES_MAX = 3000;

  /// Recoveries that are killed one after the other, at most.
  private static final int RECOVERIES_MAX = 2;

  private static final long DELAY_NANOS_MAX = 3_000_000;

  /// Where a process that commits is killed, in turn.
  private static final List<KillPhase> PHASES_OF_WORK =
      Stream.of(KillPhase.values()).filter(phase -> phase != KillPhase.OPEN).toList();

  private final SplittableRandom random = new SplittableRandom(Long.getLong("varve.seed", 1));
  private final PrefixOracle oracle = new PrefixOracle();
  private final List<TrackedWriter> writers = new ArrayList<>();
  private final Map<KillPhase, Integer> killsIn = new EnumMap<>(KillPhase.class);
  private Model held = new Model();

  @TempDir Path directory;
  private Path store;

  @BeforeEach
  void makeStore() throws IOException {
    store = Files.createDirectory(directory.resolve("store"));
    for (int i = 0; i < WRITERS; i++) {
      writers.add(oracle.writer("w" + i + "/"));
    }
  }

  @Test
  void killedProcessLosesNothingAcknowledgedD1D2D3() throws Exception {
    int kills = 0;
    int commits = 0;
    int round = 0;
    while (kills < KILLS) {
      KillPhase phase = PHASES_OF_WORK.get(round++ % PHASES_OF_WORK.size());
      long seed = random.nextLong();
      boolean killed = kill(phase, seed);
      if (killed) {
        kills++;
        for (int i = random.nextInt(RECOVERIES_MAX + 1); i > 0; i--) {
          kill(KillPhase.OPEN, seed);
          kills++;
        }
      }
      if (phase == KillPhase.BACKUP) {
        requireNewestBackupRestores();
      }
      commits += settle(killed ? Crash.PROCESS : Crash.CLEAN_CLOSE, phase + ", seed=" + seed);
    }
    assertThat(commits).as("commits that survived a kill").isPositive();
    // A phase may end before its call comes, but not mostly.
    killsIn.put(KillPhase.ANYWHERE, kills);
    for (KillPhase phase : KillPhase.values()) {
      assertThat(killsIn.getOrDefault(phase, 0))
          .as("kills in %s, of %d kills in all: %s", phase, kills, killsIn)
          .isGreaterThanOrEqualTo(kills / KillPhase.values().length / 4);
    }
  }

  /// Backups that were finished before a kill, in this round or another, are whole.
  private void requireNewestBackupRestores() throws IOException {
    Backups backups = Backups.at(KillChild.backups(store));
    if (!backups.points().isEmpty()) {
      Path restored = directory.resolve("restored");
      backups.restore(restored, RestoreTo.newest());
      try (Store opened = Store.open(restored, Stores.tiny())) {
        opened.verify().requireSound();
      }
      delete(restored);
    }
  }

  /// A store that is killed at any call while it is made is no store yet, or an empty one.
  @Test
  void storeKilledWhileItIsMadeCanBeMadeD1() throws Exception {
    boolean killed = true;
    for (int call = 0; killed; call++) {
      store = Files.createDirectory(directory.resolve("new-" + call));
      killed = follow(new KillOrder(KillPhase.OPEN, call, true), 0, ChildJvm::kill).askedForKill();
      try (Store made = Store.open(store, Stores.tiny())) {
        assertThat(made.spaceNames()).isEmpty();
        made.verify().requireSound();
      } catch (Throwable e) {
        throw new AssertionError("after a kill at call " + call, e);
      }
      assertThat(call).as("calls of an open").isLessThan(100);
    }
  }

  /// A process that is asked to end closes its store: nothing is left to recover, and all that was
  /// acknowledged is there, whatever its durability.
  @Test
  void terminatedProcessClosesItsStore() throws Exception {
    for (int i = 0; i < 3; i++) {
      long seed = random.nextLong();
      KillOrder order = new KillOrder(KillPhase.ANYWHERE, Integer.MAX_VALUE, /* holds= */ false);
      KillListener reported = follow(order, seed, ChildJvm::terminate);
      assertThat(reported.closed()).as("store was closed").isTrue();
      try (Store closed = Store.open(store, Stores.tiny())) {
        assertThat(closed.statistics().recovery().replayedCommits()).isZero();
      }
      settle(Crash.CLEAN_CLOSE, "terminated, seed=" + seed);
    }
  }

  /// Runs a child and kills it in a phase, or, if it does not get there, anywhere.
  ///
  /// @return false if it had closed its store before
  private boolean kill(KillPhase phase, long seed) throws Exception {
    KillListener reported = follow(KillOrder.random(phase, random), seed, ChildJvm::kill);
    if (reported.askedForKill() && !reported.closed()) {
      killsIn.merge(phase, 1, Integer::sum);
    }
    return !reported.closed();
  }

  /// Runs a child, ends it when it asks for that or has printed enough, and reads all that it
  /// prints.
  private KillListener follow(KillOrder order, long seed, Consumer<ChildJvm> end) throws Exception {
    KillListener listener = new KillListener(writers, seed, held);
    int linesBeforeEnd =
        order.phase() == KillPhase.ANYWHERE ? 1 + random.nextInt(LINES_MAX) : LINES_MAX;
    try (ChildJvm child =
        ChildJvm.start(KillChild.class, KillChild.arguments(store, seed, WRITERS, order))) {
      boolean ended = false;
      int lines = 0;
      for (String line = child.readLine(); line != null; line = child.readLine()) {
        listener.hear(line);
        boolean onlyOpens = order.phase() == KillPhase.OPEN && listener.opened();
        if (!ended && (listener.askedForKill() || onlyOpens || ++lines >= linesBeforeEnd)) {
          ended = true;
          if (!order.holds()) {
            LockSupport.parkNanos(random.nextLong(DELAY_NANOS_MAX));
          }
          end.accept(child);
        }
      }
      child.exitCode();
    }
    return listener;
  }

  /// Opens the store, or a copy of it, so that the next child recovers what this one left.
  ///
  /// @return commits that survived
  private int settle(Crash crash, String what) throws IOException {
    boolean looksAtCopy = random.nextBoolean();
    Path opened = looksAtCopy ? copy(store, directory.resolve("copy")) : store;
    try (Store recovered = Store.open(opened, Stores.random(random))) {
      held = Model.of(recovered);
      recovered.verify().requireSound();
      return oracle.settle(held, crash);
    } catch (Throwable e) {
      throw new AssertionError("after: " + what, e);
    } finally {
      if (looksAtCopy) {
        delete(opened);
      }
    }
  }

  private static Path copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
    return to;
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
