package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Kills a real process under load on real files, again and again: every commit that it saw
/// acknowledged with more than `BACKGROUND` is there, in a prefix of the commit order (D1, D2, D3).
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KillTest {
  private static final int KILLS = Integer.getInteger("varve.kills", 15);
  private static final int WRITERS = 4;
  private static final int LINES_MAX = 6000;

  private final SplittableRandom random = new SplittableRandom(Long.getLong("varve.seed", 1));
  private final PrefixOracle oracle = new PrefixOracle();
  private final List<TrackedWriter> writers = new ArrayList<>();

  @TempDir Path directory;

  @Test
  void killedProcessLosesNothingAcknowledgedD1D2D3() throws Exception {
    for (int i = 0; i < WRITERS; i++) {
      writers.add(oracle.writer("w" + i + "/"));
    }
    Path store = Files.createDirectory(directory.resolve("store"));
    Model held = new Model();
    int commits = 0;
    for (int kill = 1; kill <= KILLS; kill++) {
      long seed = random.nextLong();
      int lines = random.nextInt(8) == 0 ? random.nextInt(20) : random.nextInt(LINES_MAX);
      follow(store, seed, held, lines);
      // Half of the time a copy is looked at, and the next child recovers what the last one left.
      boolean lookAtCopy = random.nextBoolean();
      Path opened = lookAtCopy ? copy(store, directory.resolve("copy-" + kill)) : store;
      try (Store recovered = Store.open(opened, Stores.random(random))) {
        held = Model.of(recovered);
        recovered.verify().requireSound();
        commits += oracle.settle(held, Crash.PROCESS);
      } catch (Throwable e) {
        throw new AssertionError("after kill " + kill + ", seed=" + seed, e);
      }
    }
    assertThat(commits).isPositive();
  }

  /// Runs a child, kills it after some lines and tells the oracle all that it said.
  private void follow(Path store, long seed, Model held, int linesBeforeKill) throws Exception {
    List<RandomCommits> scripts = new ArrayList<>();
    List<List<TrackedCommit>> commits = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      scripts.add(KillChild.script(seed, i, held));
      commits.add(new ArrayList<>());
    }
    try (ChildJvm child =
        ChildJvm.start(KillChild.class, store.toString(), Long.toString(seed), "" + WRITERS)) {
      int lines = 0;
      for (String line = child.readLine(); line != null; line = child.readLine()) {
        if (lines++ == linesBeforeKill) {
          child.kill();
        }
        hear(line.split(" "), scripts, commits);
      }
      child.exitCode();
    }
  }

  private void hear(
      String[] words, List<RandomCommits> scripts, List<List<TrackedCommit>> commits) {
    switch (words[0]) {
      case "opened" -> {}
      case "B" -> {
        int writer = Integer.parseInt(words[1]);
        RandomCommit commit = scripts.get(writer).next();
        scripts.get(writer).accept(commit);
        commits.get(writer).add(writers.get(writer).begin(commit.changes()));
      }
      case "P" -> commit(words, commits).applied();
      case "A" -> {
        Durability durability = Durability.valueOf(words[3]);
        if (words[4].equals("-")) {
          commit(words, commits).acknowledged(durability);
        } else {
          commit(words, commits).acknowledged(Long.parseLong(words[4]), durability);
        }
      }
      default -> throw new AssertionError("child failed: " + String.join(" ", words));
    }
  }

  private static TrackedCommit commit(String[] words, List<List<TrackedCommit>> commits) {
    return commits.get(Integer.parseInt(words[1])).get(Integer.parseInt(words[2]));
  }

  private static Path copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
    return to;
  }
}
