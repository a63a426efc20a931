package io.varve.infinispan;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// The directory of a cache, below the location of its store.
///
/// - DIR-1 Two names never share a directory: a byte of a name that is not a letter, a digit, `-`,
///   `_` or `.` is written as `%XX`, and `%` itself is such a byte.
/// - DIR-2 A directory is a child of the location: a leading `.` is written as `%2E`, so no name is
///   `.` or `..`, and no separator is left.
///
/// Earlier versions replaced each such byte by `_`. A directory of that name is renamed when its
/// cache starts, unless another cache has that name by DIR-1.
public final class CacheDirectory {
  /// File systems take 255 bytes; a store adds no suffix of its own to this name.
  private static final int NAME_CHARS_MAX = 200;

  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final Pattern REPLACED_BEFORE = Pattern.compile("[^a-zA-Z0-9-_.]");

  private CacheDirectory() {}

  /// The name of the directory, or of another file, that belongs to a cache alone.
  ///
  /// @param cache its name
  public static String nameOf(String cache) {
    StringBuilder name = new StringBuilder();
    for (byte value : cache.getBytes(UTF_8)) {
      char letter = (char) (value & 0xff);
      if (isPlain(letter) && !(letter == '.' && name.isEmpty())) {
        name.append(letter);
      } else {
        name.append('%').append(HEX.toHexDigits(value));
      }
    }
    // `%-` begins the name of no other cache, since a percent sign is followed by two digits.
    return name.length() <= NAME_CHARS_MAX ? name.toString() : "%-" + digest(cache);
  }

  private static boolean isPlain(char letter) {
    return (letter >= 'a' && letter <= 'z')
        || (letter >= 'A' && letter <= 'Z')
        || (letter >= '0' && letter <= '9')
        || letter == '-'
        || letter == '_'
        || letter == '.';
  }

  private static String digest(String cache) {
    try {
      return HEX.formatHex(MessageDigest.getInstance("SHA-256").digest(cache.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Each JDK has it.
    }
  }

  /// The directory of a cache. Renames one that an earlier version has made.
  ///
  /// @param location that holds the directories of all caches
  /// @param isCache whether a name is that of a cache
  static Path of(Path location, String cache, Predicate<String> isCache) throws IOException {
    Path directory = location.resolve(nameOf(cache));
    String before = REPLACED_BEFORE.matcher(cache).replaceAll("_");
    // A name of dots was never below the location; what is there is of another program.
    if (before.chars().allMatch(letter -> letter == '.') || Files.exists(directory)) {
      return directory;
    }
    Path old = location.resolve(before);
    if (!old.equals(directory) && Files.isDirectory(old) && !isCache.test(before)) {
      Files.move(old, directory);
    }
    return directory;
  }
}
