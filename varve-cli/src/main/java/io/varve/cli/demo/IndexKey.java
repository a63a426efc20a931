package io.varve.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/// A key of the index: a word, a zero byte, the path of a file that has the word. All files of a
/// word are together, in the order of their paths.
final class IndexKey {
  private static final byte SEPARATOR = 0;

  private IndexKey() {}

  /// The key of a word in a file.
  static byte[] of(String word, byte[] path) {
    byte[] prefix = prefix(word);
    byte[] key = Arrays.copyOf(prefix, prefix.length + path.length);
    System.arraycopy(path, 0, key, prefix.length, path.length);
    return key;
  }

  /// What the keys of a word start with.
  static byte[] prefix(String word) {
    byte[] bytes = word.getBytes(UTF_8);
    return Arrays.copyOf(bytes, bytes.length + 1); // The byte added is the separator.
  }

  /// The path of a key.
  static String path(byte[] key) {
    int start = separator(key) + 1;
    return new String(key, start, key.length - start, UTF_8);
  }

  private static int separator(byte[] key) {
    for (int i = 0; i < key.length; i++) {
      if (key[i] == SEPARATOR) {
        return i;
      }
    }
    throw new IllegalArgumentException("not a key of the index: length=" + key.length);
  }
}
