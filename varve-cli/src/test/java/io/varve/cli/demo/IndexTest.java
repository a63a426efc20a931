package io.varve.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.varve.Snapshot;
import io.varve.Store;
import io.varve.cli.demo.WordQueries.Hit;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The word index of the demonstration and its queries.
final class IndexTest {
  @Test
  void wordsAreRunsOfLettersDigitsAndUnderscores() {
    assertThat(WordCounter.count("int a_b = a_b+x1; // 12ab \u00fcber, a".getBytes(UTF_8)))
        .isEqualTo(Map.of("int", 1, "a_b", 2, "x1", 1, "\u00fcber", 1));
    assertThat(WordCounter.count(("w".repeat(101) + " ok").getBytes(UTF_8)))
        .isEqualTo(Map.of("ok", 1));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 127, 128, 16_383, 16_384, Long.MAX_VALUE})
  void countsSurvive(long count) {
    byte[] bytes = Varint.encode(count);
    assertThat(Varint.decode(bytes, bytes.length)).isEqualTo(count);
  }

  @Test
  void aCutCountIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Varint.decode(new byte[] {(byte) 0x80}, 1));
  }

  @Test
  void keysSplit() {
    byte[] key = IndexKey.of("w\u00f6rd", "a/b".getBytes(UTF_8));
    assertThat(key).isEqualTo("w\u00f6rd\0a/b".getBytes(UTF_8));
    assertThat(IndexKey.path(key)).isEqualTo("a/b");
  }

  @Test
  void queriesFindWhatIsThere() {
    try (Store store = Store.inMemory()) {
      DemoSpaces spaces = DemoSpaces.of(store);
      put(spaces, "lock", Map.of("a", 3, "b", 9, "d", 1));
      put(spaces, "locked", Map.of("a", 1));
      put(spaces, "lock2", Map.of("b", 1, "c", 2, "d", 5));
      try (Snapshot snapshot = store.snapshot()) {
        var queries = new WordQueries(snapshot, spaces);
        assertThat(queries.fileCount("lock")).isEqualTo(3);
        assertThat(queries.filesWithMost("lock", 2))
            .containsExactly(new Hit("b", 9), new Hit("a", 3));
        assertThat(queries.filesWithBoth("lock", "lock2")).containsExactly("b", "d");
        assertThat(queries.filesWithBoth("locked", "lock2")).isEmpty();
        assertThat(queries.filesWithBoth("nothing", "lock2")).isEmpty();
        assertThat(queries.wordsStartingWith("lock", 10))
            .containsExactly(new Hit("lock", 3), new Hit("lock2", 3), new Hit("locked", 1));
        assertThat(queries.wordsStartingWith("lock", 1)).containsExactly(new Hit("lock", 3));
        assertThat(queries.wordsStartingWith("locke", 5)).containsExactly(new Hit("locked", 1));
        assertThat(queries.wordsStartingWith("nothing", 5)).isEmpty();
        assertThat(queries.filesWithMost("nothing", 5)).isEmpty();
      }
      store.verify().requireSound();
    }
  }

  private static void put(DemoSpaces spaces, String word, Map<String, Integer> counts) {
    counts.forEach((path, count) ->
        spaces.words().put(IndexKey.of(word, path.getBytes(UTF_8)), Varint.encode(count)));
  }
}
