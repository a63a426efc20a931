package io.varve.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Verification;
import io.varve.cli.console.Figures;
import io.varve.cli.transfer.FileTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Compares the store with the source and with itself, in one snapshot: what was acknowledged is
/// there, and of every transaction all is there or nothing.
final class StoreCheck {
  /// What was found.
  ///
  /// @param checks what was checked, in the order of their weight
  /// @param paths the files that are there
  record Findings(List<Check> checks, Set<String> paths) {
    boolean allHold() {
      return checks.stream().allMatch(Check::holds);
    }
  }

  private final DemoSpaces spaces;
  private final FileTree tree;
  private final Map<String, FileTree.Item> items;
  private final AtomicLong entriesSeen = new AtomicLong();

  StoreCheck(DemoSpaces spaces, FileTree tree, Map<String, FileTree.Item> items) {
    this.spaces = spaces;
    this.tree = tree;
    this.items = items;
  }

  /// The entries looked at so far. Any thread may ask.
  long entriesSeen() {
    return entriesSeen.getOpaque();
  }

  /// How many entries there are to look at.
  long entryCount() {
    return spaces.files().count(Range.all())
        + spaces.stats().count(Range.all())
        + spaces.words().count(Range.all());
  }

  /// Checks all.
  ///
  /// @param acknowledged the files that must be there
  Findings run(Set<String> acknowledged) throws IOException {
    var checks = new ArrayList<Check>();
    Map<String, Long> files;
    try (Snapshot snapshot = spaces.store().snapshot()) {
      files = readFiles(snapshot, checks);
      checks.addFirst(checkAcknowledged(acknowledged, files.keySet()));
      Map<String, FileFacts> facts = readFacts(snapshot);
      checks.add(checkFacts(files, facts));
      checks.add(checkIndex(snapshot, facts));
    }
    checks.add(checkPages());
    return new Findings(List.copyOf(checks), Set.copyOf(files.keySet()));
  }

  /// Compares every file with the source; gives path and length of each.
  private Map<String, Long> readFiles(Snapshot snapshot, List<Check> checks) throws IOException {
    var files = new HashMap<String, Long>();
    long bytes = 0;
    @Nullable String wrong = null;
    try (Cursor cursor = snapshot.cursor(spaces.files(), Range.all())) {
      while (cursor.next()) {
        String path = new String(cursor.key(), UTF_8);
        byte[] content = cursor.value();
        FileTree.Item item = items.get(path);
        if (item == null || !Arrays.equals(content, tree.read(item))) {
          wrong = path;
        }
        files.put(path, (long) content.length);
        bytes += content.length;
        seen();
      }
    }
    checks.add(
        new Check(
            wrong == null,
            Figures.count(files.size(), "file")
                + " ("
                + Figures.bytes(bytes)
                + ") equal to the source, byte by byte"
                + except(wrong)));
    return files;
  }

  private static Check checkAcknowledged(Set<String> acknowledged, Set<String> present) {
    var missing = acknowledged.stream().filter(path -> !present.contains(path)).sorted().toList();
    String sentence =
        missing.isEmpty()
            ? "all " + Figures.count(acknowledged.size(), "acknowledged file") + " there"
            : Figures.count(missing.size())
                + " of "
                + Figures.count(acknowledged.size(), "acknowledged file")
                + " missing, first: "
                + missing.getFirst();
    int more = present.size() - (acknowledged.size() - missing.size());
    return new Check(
        missing.isEmpty(),
        sentence
            + (more == 0 ? "" : ", and " + Figures.count(more) + " committed but not reported"));
  }

  private Map<String, FileFacts> readFacts(Snapshot snapshot) {
    var facts = new HashMap<String, FileFacts>();
    try (Cursor cursor = snapshot.cursor(spaces.stats(), Range.all())) {
      while (cursor.next()) {
        facts.put(new String(cursor.key(), UTF_8), FileFacts.decode(cursor.value()));
        seen();
      }
    }
    return facts;
  }

  private static Check checkFacts(Map<String, Long> files, Map<String, FileFacts> facts) {
    String wrong = facts.keySet().equals(files.keySet()) ? null : "the sets of paths differ";
    for (var file : files.entrySet()) {
      FileFacts found = facts.get(file.getKey());
      if (found != null && found.bytes() != file.getValue()) {
        wrong = file.getKey();
      }
    }
    return new Check(
        wrong == null, "files and stats name the same paths and lengths" + except(wrong));
  }

  /// Adds up the index by file and compares the sums with the facts.
  private Check checkIndex(Snapshot snapshot, Map<String, FileFacts> facts) {
    var sums = new HashMap<String, Sum>();
    long entries = 0;
    try (Cursor cursor = snapshot.cursor(spaces.words(), Range.all())) {
      while (cursor.next()) {
        Sum sum = sums.computeIfAbsent(IndexKey.path(cursor.key()), _ -> new Sum());
        byte[] count = cursor.value();
        sum.words += Varint.decode(count, count.length);
        sum.distinctWords++;
        entries++;
        seen();
      }
    }
    String wrong = null;
    for (var file : facts.entrySet()) {
      Sum sum = sums.getOrDefault(file.getKey(), new Sum());
      if (sum.words != file.getValue().words()
          || sum.distinctWords != file.getValue().distinctWords()) {
        wrong = file.getKey();
      }
    }
    for (String path : sums.keySet()) {
      if (!facts.containsKey(path)) {
        wrong = path;
      }
    }
    return new Check(
        wrong == null,
        Figures.count(entries)
            + " index entries: each of a file that is there, and of each file all"
            + except(wrong));
  }

  private Check checkPages() {
    Verification verification = spaces.store().verify();
    return new Check(
        verification.isSound(),
        "verify: "
            + Figures.count(verification.pages(), "page")
            + (verification.isSound() ? " sound" : ", " + verification.problems().getFirst()));
  }

  private static String except(@Nullable String wrong) {
    return wrong == null ? "" : "; NOT: " + wrong;
  }

  private void seen() {
    entriesSeen.setOpaque(entriesSeen.getPlain() + 1);
  }

  /// What the index holds of a file.
  private static final class Sum {
    private long words;
    private long distinctWords;
  }
}
