package io.varve.bench.words;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// All implementations that count words count the same ones.
class WordScanTest {
  private static List<String> ofArray(byte[] text) {
    List<String> words = new ArrayList<>();
    WordScan.scan(text, words::add);
    return words;
  }

  private static List<String> ofSegment(byte[] text) {
    List<String> words = new ArrayList<>();
    new WordScan().scan(MemorySegment.ofArray(text).asReadOnly(), words::add);
    return words;
  }

  @Test
  void wordsAreLettersDigitsAndWhatIsBeyondAscii() {
    byte[] text = " one, two_2;größe\n(end)".getBytes(UTF_8);
    assertThat(ofArray(text)).containsExactly("one", "two_2", "größe", "end");
    assertThat(ofSegment(text)).isEqualTo(ofArray(text));
    assertThat(ofArray("last".getBytes(UTF_8))).containsExactly("last");
    assertThat(ofSegment(new byte[0])).isEmpty();
  }

  /// Words that continue from one chunk of a segment to the next, and beyond that.
  @Test
  void wordsAreWholeAcrossChunks() {
    byte[] sample = SampleText.ofBytes(100_000);
    assertThat(ofSegment(sample)).isEqualTo(ofArray(sample)).hasSizeGreaterThan(10_000);
    byte[] text = ("a ".repeat(8000) + "long".repeat(20_000) + " b").getBytes(UTF_8);
    assertThat(ofSegment(text)).isEqualTo(ofArray(text)).hasSize(8002);
  }

  @Test
  void piecesHoldTheText() {
    byte[] text = SampleText.ofBytes(10_000);
    assertThat(SampleText.pieces(text, 3000))
        .hasSize(4)
        .last()
        .satisfies(piece -> assertThat(piece).hasSize(1000));
    assertThat(SampleText.ofDistinctWords(2500).stream().mapToInt(each -> ofArray(each).size()))
        .containsExactly(1000, 1000, 500);
  }
}
