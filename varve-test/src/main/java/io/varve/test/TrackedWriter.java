package io.varve.test;

import io.varve.Range;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// One thread's commits, in its order, as a [PrefixOracle] follows them.
public final class TrackedWriter {
  private final TrackedCommit.Notes notes;
  private final String prefix;
  private final Range keys;
  private final List<TrackedCommit> commits = new ArrayList<>(); // guarded by the oracle

  TrackedWriter(TrackedCommit.Notes notes, String prefix) {
    this.notes = notes;
    this.prefix = prefix;
    this.keys = Range.prefix(prefix.getBytes(StandardCharsets.UTF_8));
  }

  /// Notes a commit. Call it before the store is called, and report afterwards what the store
  /// answered.
  ///
  /// @param changes what the commit changes; of several writers, each commit must change the
  ///   writer's own keys in some way, and a range removed must be within them
  public TrackedCommit begin(List<Change> changes) {
    var begun = new TrackedCommit[1];
    notes.run(() -> {
      begun[0] = new TrackedCommit(notes, prefix, commits.size(), changes, notes.tick());
      commits.add(begun[0]);
    });
    return begun[0];
  }

  /// What the keys of this writer start with.
  public String prefix() {
    return prefix;
  }

  /// The range of this writer's own keys.
  Range keys() {
    return keys;
  }

  List<TrackedCommit> commits() {
    return commits;
  }

  void clear() {
    commits.clear();
  }

  /// How many of a writer's commits a store holds. Where commits changed nothing, more than one
  /// number explains what it shows.
  record Survivors(int least, int most) {}

  /// How many of this writer's commits a recovered store holds, by what it shows of the writer's
  /// own keys.
  ///
  /// @throws AssertionError if no number of commits explains that
  Survivors survivors(Model base, Model recovered) {
    Model own = base.filter(keys::contains);
    long found = recovered.filter(keys::contains).digest();
    int least = own.digest() == found ? 0 : -1;
    int most = least;
    for (int i = 0; i < commits.size(); i++) {
      TrackedCommit commit = commits.get(i);
      if (!commit.isRefused()) {
        commit.changes().stream().filter(change -> change.isWithin(keys)).forEach(own::apply);
      }
      if (own.digest() == found) {
        least = least < 0 ? i + 1 : least;
        most = i + 1;
      }
    }
    if (most < 0) {
      throw new AssertionError(
          "no prefix of a writer's commits gives what is found (D1, D2): writer='%s', commits=%d; %s"
              .formatted(
                  prefix,
                  commits.size(),
                  String.join("; ", own.differences(recovered.filter(keys::contains)))));
    }
    return new Survivors(least, most);
  }
}
