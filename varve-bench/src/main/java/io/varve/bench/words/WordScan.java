package io.varve.bench.words;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Consumer;

/// Gives the words of a text: runs of ASCII letters, digits, underscores, and bytes beyond ASCII.
/// The job that all do. For one thread.
final class WordScan {
  /// What is taken of a segment at a time, so that it stays in the nearest cache.
  private static final int CHUNK_BYTES = 16 << 10;

  private static final boolean[] IN_WORD = new boolean[256];

  static {
    for (int each = 0; each < IN_WORD.length; each++) {
      IN_WORD[each] = each >= 128 || each == '_' || Character.isLetterOrDigit(each);
    }
  }

  private byte[] chunk = new byte[2 * CHUNK_BYTES];

  /// The words of an array.
  static void scan(byte[] text, Consumer<String> words) {
    int rest = scan(text, text.length, words);
    if (rest < text.length) {
      words.accept(new String(text, rest, text.length - rest, UTF_8));
    }
  }

  /// The words of a segment, by way of a chunk of it.
  void scan(MemorySegment text, Consumer<String> words) {
    int kept = 0; // of a word that the chunk before has not ended
    for (long at = 0; at < text.byteSize(); ) {
      int taken = (int) Math.min(CHUNK_BYTES, text.byteSize() - at);
      if (kept + taken > chunk.length) {
        chunk = Arrays.copyOf(chunk, 2 * chunk.length);
      }
      MemorySegment.copy(text, JAVA_BYTE, at, chunk, kept, taken);
      int end = kept + taken;
      int rest = scan(chunk, end, words);
      System.arraycopy(chunk, rest, chunk, 0, end - rest);
      kept = end - rest;
      at += taken;
    }
    if (kept > 0) {
      words.accept(new String(chunk, 0, kept, UTF_8));
    }
  }

  /// @return where a word begins that continues until the end; the end if there is none
  private static int scan(byte[] text, int end, Consumer<String> words) {
    int at = 0;
    while (at < end) {
      while (at < end && !IN_WORD[text[at] & 0xff]) {
        at++;
      }
      int start = at;
      while (at < end && IN_WORD[text[at] & 0xff]) {
        at++;
      }
      if (at == end) {
        return start;
      }
      words.accept(new String(text, start, at - start, UTF_8));
    }
    return end;
  }
}
