package io.varve.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// Data of a kind that people keep, for what depends on what the bytes are: compression. The same
/// bytes in each run. Keys have 8 or 16 bytes.
public enum DataSet {
  /// The lines of the JDK's sources, in their order; the key is file and line.
  SOURCE_LINES("source lines") {
    @Override
    void fill(Target target) {
      forEachSource((file, text) -> {
        int line = 0;
        for (String each : text.lines().toList()) {
          target.add(bytes(String.format(Locale.ROOT, "%07d:%08d", file, line++)), bytes(each));
        }
        return target.wantsMore();
      });
    }
  },

  /// Whole files of the JDK's sources.
  SOURCE_FILES("source files") {
    @Override
    void fill(Target target) {
      forEachSource((file, text) -> {
        target.add(bytes(String.format(Locale.ROOT, "file%012d", file)), bytes(text));
        return target.wantsMore();
      });
    }
  },

  /// Records of people, as JSON of some 250 bytes, by ascending number.
  JSON("json") {
    @Override
    void fill(Target target) {
      SplittableRandom random = new SplittableRandom(1);
      for (int i = 0; target.wantsMore(); i++) {
        target.add(
            bytes(String.format(Locale.ROOT, "user%012d", i)), bytes(Json.record(i, random)));
      }
    }
  },

  /// Ascending keys and values of 8 bytes.
  ASCENDING("integers ascending") {
    @Override
    void fill(Target target) {
      for (long i = 0; target.wantsMore(); i++) {
        target.add(number(i), number(10 * i));
      }
    }
  },

  /// Keys and values of 8 bytes at random.
  SCATTERED("integers random") {
    @Override
    void fill(Target target) {
      SplittableRandom random = new SplittableRandom(2);
      while (target.wantsMore()) {
        target.add(number(random.nextLong()), number(random.nextLong()));
      }
    }
  },

  /// Keys of 16 and values of 100 bytes, which nothing compresses.
  NOISE("random bytes") {
    @Override
    void fill(Target target) {
      SplittableRandom random = new SplittableRandom(3);
      while (target.wantsMore()) {
        byte[] key = new byte[16];
        byte[] value = new byte[100];
        random.nextBytes(key);
        random.nextBytes(value);
        target.add(key, value);
      }
    }
  };

  private final String label;

  DataSet(String label) {
    this.label = label;
  }

  /// A key and its value.
  public record Entry(byte[] key, byte[] value) {}

  /// Its name in the results.
  public String label() {
    return label;
  }

  /// The first entries, of so many bytes of keys and values, or as many as there are.
  public List<Entry> entries(long bytes) {
    Target target = new Target(bytes);
    fill(target);
    return Collections.unmodifiableList(target.entries);
  }

  abstract void fill(Target target);

  /// Takes entries until there are enough.
  static final class Target {
    private final List<Entry> entries = new ArrayList<>();
    private long bytesLeft;

    Target(long bytes) {
      bytesLeft = bytes;
    }

    boolean wantsMore() {
      return bytesLeft > 0;
    }

    void add(byte[] key, byte[] value) {
      if (wantsMore()) {
        entries.add(new Entry(key, value));
        bytesLeft -= key.length + value.length;
      }
    }
  }

  @FunctionalInterface
  private interface SourceConsumer {
    /// @return whether to continue
    boolean source(int number, String text);
  }

  private static void forEachSource(SourceConsumer consumer) {
    Path sources = Path.of(System.getProperty("java.home"), "lib", "src.zip");
    if (!Files.exists(sources)) {
      return; // a JDK without its sources
    }
    try (ZipFile zip = new ZipFile(sources.toFile())) {
      int number = 0;
      for (ZipEntry entry : Collections.list(zip.entries())) {
        String name = entry.getName();
        if (name.startsWith("java.base/") && name.endsWith(".java")) {
          byte[] text = zip.getInputStream(entry).readAllBytes();
          if (!consumer.source(number++, new String(text, StandardCharsets.UTF_8))) {
            return;
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] number(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  private static final class Json {
    private static final String[] NAMES = {
      "Anna", "Ben", "Chloe", "David", "Emma", "Felix", "Grace", "Henry", "Ines", "Jonas", "Klara",
      "Liam", "Mia", "Noah", "Olivia", "Paul", "Quentin", "Rosa", "Samuel", "Tara"
    };
    private static final String[] CITIES = {
      "Amsterdam", "Berlin", "Chicago", "Dublin", "Edinburgh", "Florence", "Geneva", "Hamburg"
    };
    private static final String[] TAGS = {"new", "paid", "trial", "press", "partner", "staff"};

    private Json() {}

    static String record(int id, SplittableRandom random) {
      String first = NAMES[random.nextInt(NAMES.length)];
      String last = NAMES[random.nextInt(NAMES.length)] + "son";
      return String.format(
          Locale.ROOT,
          "{\"id\":%d,\"name\":\"%s %s\",\"email\":\"%s.%s%d@example.org\",\"city\":\"%s\","
              + "\"born\":\"%d-%02d-%02d\",\"balance\":%.2f,\"tags\":[\"%s\",\"%s\"],"
              + "\"active\":%b,\"session\":\"%016x\",\"seen\":\"2026-%02d-%02dT%02d:%02d:%02dZ\"}",
          id,
          first,
          last,
          first.toLowerCase(Locale.ROOT),
          last.toLowerCase(Locale.ROOT),
          random.nextInt(1000),
          CITIES[random.nextInt(CITIES.length)],
          random.nextInt(1940, 2010),
          random.nextInt(1, 13),
          random.nextInt(1, 29),
          random.nextDouble(0, 5000),
          TAGS[random.nextInt(TAGS.length)],
          TAGS[random.nextInt(TAGS.length)],
          random.nextBoolean(),
          random.nextLong(),
          random.nextInt(1, 13),
          random.nextInt(1, 29),
          random.nextInt(24),
          random.nextInt(60),
          random.nextInt(60));
    }
  }
}
