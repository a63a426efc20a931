package io.varve.test;

import io.varve.Durability;
import java.util.ArrayList;
import java.util.List;

/// Takes what one [KillChild] prints, and reports it to the oracle.
final class KillListener {
  private final List<TrackedWriter> writers;
  private final List<RandomCommits> scripts = new ArrayList<>();
  private final List<List<TrackedCommit>> commits = new ArrayList<>();
  private boolean opened;
  private boolean askedForKill;
  private boolean closed;
  private boolean failed;

  /// @param held what the child finds in the store
  KillListener(List<TrackedWriter> writers, long seed, Model held) {
    this.writers = writers;
    for (int i = 0; i < writers.size(); i++) {
      scripts.add(KillChild.script(seed, i, held));
      commits.add(new ArrayList<>());
    }
  }

  void hear(String line) {
    String[] words = line.split(" ");
    switch (words[0]) {
      case "opened" -> opened = true;
      case "K" -> askedForKill = true;
      case "closed" -> closed = true;
      case "failed" -> failed = true;
      case "B" -> begin(Integer.parseInt(words[1]));
      case "P" -> commit(words).applied();
      case "A" -> acknowledge(commit(words), Durability.valueOf(words[3]), words[4]);
      default -> throw new AssertionError("child failed: " + line);
    }
  }

  private void begin(int writer) {
    RandomCommit commit = scripts.get(writer).next();
    scripts.get(writer).accept(commit);
    commits.get(writer).add(writers.get(writer).begin(commit.changes()));
  }

  private TrackedCommit commit(String[] words) {
    return commits.get(Integer.parseInt(words[1])).get(Integer.parseInt(words[2]));
  }

  private static void acknowledge(TrackedCommit commit, Durability durability, String lsn) {
    if (lsn.equals("-")) {
      commit.acknowledged(durability);
    } else {
      commit.acknowledged(Long.parseLong(lsn), durability);
    }
  }

  /// Whether the store was opened and read.
  boolean opened() {
    return opened;
  }

  /// Whether the child came to the call at which it is to be killed.
  boolean askedForKill() {
    return askedForKill;
  }

  /// Whether the store was closed.
  boolean closed() {
    return closed;
  }

  /// Whether the store refused something for a call that failed.
  boolean failed() {
    return failed;
  }
}
