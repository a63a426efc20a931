package io.varve.bench.words;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// Texts of English proportions: words of 2 to 12 letters, popular ones much oftener than others,
/// the same in each run.
final class SampleText {
  private static final int VOCABULARY = 50_000;
  private static final int WORD_BYTES_MIN = 2;
  private static final int WORD_BYTES_MAX = 12;

  private SampleText() {}

  /// A text of so many bytes.
  static byte[] ofBytes(int length) {
    SplittableRandom random = new SplittableRandom(5);
    byte[][] words = new byte[VOCABULARY][];
    for (int i = 0; i < VOCABULARY; i++) {
      words[i] = new byte[random.nextInt(WORD_BYTES_MIN, WORD_BYTES_MAX + 1)];
      for (int letter = 0; letter < words[i].length; letter++) {
        words[i][letter] = (byte) ('a' + random.nextInt(26));
      }
    }
    byte[] text = new byte[length];
    Arrays.fill(text, (byte) ' ');
    for (int at = 0; at < length; ) {
      // The rank of a word is spread evenly over its logarithm, about as in Zipf's law.
      byte[] word = words[(int) Math.pow(VOCABULARY, random.nextDouble()) - 1];
      System.arraycopy(word, 0, text, at, Math.min(word.length, length - at));
      at += word.length + 1;
    }
    return text;
  }

  /// A text cut in pieces of a length; the last may be shorter.
  static List<byte[]> pieces(byte[] text, int length) {
    List<byte[]> pieces = new ArrayList<>();
    for (int at = 0; at < text.length; at += length) {
      pieces.add(Arrays.copyOfRange(text, at, Math.min(text.length, at + length)));
    }
    return pieces;
  }

  /// Texts of so many words in all, each of which is there once.
  static List<byte[]> ofDistinctWords(int count) {
    int wordsOfText = 1000;
    List<byte[]> texts = new ArrayList<>();
    for (int first = 0; first < count; first += wordsOfText) {
      StringBuilder text = new StringBuilder();
      for (int word = first; word < Math.min(count, first + wordsOfText); word++) {
        text.append("word").append(word).append(' ');
      }
      texts.add(text.toString().getBytes(US_ASCII));
    }
    return texts;
  }
}
