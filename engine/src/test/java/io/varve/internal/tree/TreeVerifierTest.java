package io.varve.internal.tree;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.PageRetention;
import io.varve.internal.cache.PageCache;
import io.varve.internal.cache.Pages;
import io.varve.internal.checkpoint.CheckpointWriter;
import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.file.PageFile;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a verification finds in trees whose pages are whole and do not belong together. No checksum
/// shows that.
class TreeVerifierTest {
  private static final int PAGE_BYTES = 1024;
  private static final CheckpointWriter.Pace UNPACED =
      new CheckpointWriter.Pace() {
        @Override
        public boolean isEven() {
          return false;
        }

        @Override
        public boolean isTight() {
          return false;
        }

        @Override
        public void wrote(long bytes) {}
      };

  private final MemoryDisk disk = new MemoryDisk();
  private PageFile file;

  @BeforeEach
  void open() throws IOException {
    file = PageFile.open(disk, PageFile.NAME);
  }

  @AfterEach
  void close() throws IOException {
    file.close();
    disk.close();
  }

  private static Leaf leaf(String... keys) {
    byte[] page = LeafPage.create(PAGE_BYTES, new byte[0], 0);
    for (String key : keys) {
      LeafPage.insert(page, LeafPage.count(page), key.getBytes(US_ASCII), new byte[1], 1);
    }
    return new Leaf(1, page);
  }

  private static Inner inner(int level, List<String> separators, Node... children) {
    byte[][] keys = separators.stream().map(key -> key.getBytes(US_ASCII)).toArray(byte[][]::new);
    return new Inner(1, level, new Branches(children, keys));
  }

  private List<String> problems(Node root) {
    List<String> problems = new ArrayList<>();
    Pages pages =
        new Pages(file, new PageCache(file.locks(), PageRetention.LRU, 1 << 20, 1), PAGE_BYTES);
    new TreeVerifier(pages, problems::add, _ -> {}).verify("s", root);
    return problems;
  }

  private void requireFound(String problem, Node root) {
    assertThat(problems(root)).isNotEmpty().allMatch(found -> found.startsWith(problem));
  }

  @Test
  void aSoundTreeHasNoProblems() {
    Inner left = inner(1, List.of("f"), leaf("a", "e"), leaf("f", "k"));
    Inner right = inner(1, List.of("t"), leaf("m"), leaf("t", "z"));
    assertThat(problems(inner(2, List.of("m"), left, right))).isEmpty();
    assertThat(problems(leaf())).isEmpty();
  }

  @Test
  void pagesAndEntriesAreCounted() {
    Pages pages =
        new Pages(file, new PageCache(file.locks(), PageRetention.LRU, 1 << 20, 1), PAGE_BYTES);
    TreeVerifier verifier = new TreeVerifier(pages, _ -> {}, _ -> {});
    verifier.verify("s", inner(1, List.of("f"), leaf("a", "e"), leaf("f")));
    assertThat(verifier.pageCount()).isEqualTo(3);
    assertThat(verifier.entryCount()).isEqualTo(3);
  }

  @Test
  void aKeyOnTheWrongSideOfASeparatorIsFound() {
    String problem = "key outside of its parent's bounds";
    requireFound(problem, inner(1, List.of("f"), leaf("a"), leaf("e", "k")));
    requireFound(problem, inner(1, List.of("f"), leaf("a", "f"), leaf("g")));
    Inner left = inner(1, List.of("f"), leaf("a", "e"), leaf("f", "m"));
    requireFound(problem, inner(2, List.of("m"), left, inner(1, List.of(), leaf("n"))));
    Inner right = inner(1, List.of("t"), leaf("k"), leaf("t"));
    requireFound(problem, inner(2, List.of("m"), inner(1, List.of(), leaf("a")), right));
  }

  @Test
  void separatorsOutOfOrderAreFound() {
    String problem = "separators out of order";
    requireFound(problem, inner(1, List.of("f", "f"), leaf("a"), leaf(), leaf("f")));
    Inner left = inner(1, List.of("p"), leaf("a"), leaf());
    requireFound(problem, inner(2, List.of("m"), left, inner(1, List.of(), leaf("n"))));
  }

  @Test
  void keysOutOfOrderAreFound() {
    assertThat(problems(leaf("b", "a"))).anyMatch(found -> found.startsWith("keys out of order"));
    assertThat(problems(leaf("a", "a"))).anyMatch(found -> found.startsWith("keys out of order"));
  }

  @Test
  void aChildOfTheWrongLevelIsFound() {
    requireFound("child of the wrong level", inner(2, List.of(), leaf("a")));
  }

  /// Writes a tree, as a checkpoint does: its nodes then know where they are.
  private <T extends Node> T written(T root) throws IOException {
    Pages pages =
        new Pages(file, new PageCache(file.locks(), PageRetention.LRU, 1 << 20, 1), PAGE_BYTES);
    pages.beginCheckpoint(1);
    CheckpointWriter writer = new CheckpointWriter(pages, file, UNPACED);
    writer.write(root, 1);
    writer.flush();
    pages.endCheckpoint();
    return root;
  }

  @Test
  void countsThatReferencesHaveWrongAreFound() throws IOException {
    Leaf leaf = written(leaf("a", "b"));
    assertThat(problems(leaf)).isEmpty();
    Leaf wrongLeaf = new Leaf(leaf.extent(), leaf.checksum(), 1);
    assertThat(problems(wrongLeaf)).singleElement().asString().startsWith("wrong count");

    Inner inner = written(inner(1, List.of("m"), leaf("a", "b"), leaf("n")));
    assertThat(problems(new Inner(inner.extent(), inner.checksum(), 3, 1))).isEmpty();
    Inner wrongInner = new Inner(inner.extent(), inner.checksum(), 4, 1);
    assertThat(problems(wrongInner)).singleElement().asString().startsWith("wrong count");
  }

  /// What no reader of pages expects hides no other page either.
  @Test
  void whatIsNextToAPageThatMakesNoSenseIsVerified() {
    byte[] page = new byte[PAGE_BYTES];
    Arrays.fill(page, (byte) -1);
    List<String> problems = problems(inner(1, List.of("m"), new Leaf(1, page), leaf("k")));
    assertThat(problems).hasSize(2);
    assertThat(problems.getFirst()).startsWith("page makes no sense");
    assertThat(problems.getLast()).startsWith("key outside");
  }

  /// One page that is damaged hides no other.
  @Test
  void whatIsNextToADamagedPageIsVerified() throws IOException {
    Leaf leaf = written(leaf("a"));
    Leaf damaged = new Leaf(leaf.extent(), leaf.checksum() + 1, 1);
    List<String> problems = problems(inner(1, List.of("m"), damaged, leaf("k")));
    assertThat(problems).hasSize(2);
    assertThat(problems.getFirst()).contains("checksum");
    assertThat(problems.getLast()).startsWith("key outside");
  }
}
