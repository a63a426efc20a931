package io.varve.cache.mapreduce;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.cache.CacheEntry;
import io.varve.cache.CacheOptions;
import io.varve.cache.StorageMode;
import io.varve.cache.VarveCache;
import io.varve.cache.VarveCachingProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Counts more distinct words than the heap of its process holds, by default options.
@Tag("slow")
@Timeout(600)
class SmallHeapTest {
  /// Each takes over 100 bytes in a table: 75 MB, with a heap of 64.
  private static final int WORDS = 690_000;

  private static final int WORDS_OF_A_TEXT = 300;

  /// Less than the limit of the test, so that the output of a process that hangs is reported.
  private static final int SECONDS_MAX = 540;

  @TempDir Path directory;

  @Test
  void moreWordsAreCountedThanTheHeapHolds() throws Exception {
    Path output = directory.resolve("output");
    Path spills = Files.createDirectory(directory.resolve("tmp"));
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC", // what a JVM takes where memory is short
                "-Djava.io.tmpdir=" + spills,
                "-cp",
                System.getProperty("java.class.path"),
                SmallHeapTest.class.getName(),
                directory.resolve("store").toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(child.waitFor(SECONDS_MAX, SECONDS)).as(() -> "hangs: " + read(output)).isTrue();
    } finally {
      child.destroyForcibly().waitFor();
    }
    assertThat(child.exitValue()).as(() -> read(output)).isZero();
    assertThat(read(output)).contains("counted=" + WORDS).doesNotContain("spills=0,");
    try (Stream<Path> left = Files.list(spills)) {
      assertThat(left.filter(path -> path.getFileName().toString().startsWith("varve"))).isEmpty();
    }
  }

  private static String read(Path output) {
    try {
      return Files.readString(output);
    } catch (java.io.IOException e) {
      return e.toString();
    }
  }

  /// How often a word is in the texts: in that which begins with it or before it, and in the one
  /// before, which continues half a text further.
  private static long expected(int word) {
    return word < WORDS_OF_A_TEXT / 2 ? 1 : 2;
  }

  private static String text(int number) {
    StringBuilder text = new StringBuilder();
    int first = number * WORDS_OF_A_TEXT / 2;
    for (int word = first; word < Math.min(WORDS, first + WORDS_OF_A_TEXT); word++) {
      text.append("word").append(word).append(' ');
    }
    return text.toString();
  }

  /// The process with the small heap.
  @SuppressWarnings("unchecked") // made with these types
  public static void main(String[] arguments) {
    Properties properties = new Properties();
    properties.setProperty(VarveCachingProvider.DIRECTORY, arguments[0]);
    CacheOptions<Integer, String> options = new CacheOptions<>();
    options.setTypes(Integer.class, String.class);
    options.mode(StorageMode.PAGES).durability(Durability.BACKGROUND);
    try (VarveCachingProvider provider = new VarveCachingProvider()) {
      VarveCache<Integer, String> cache =
          provider
              .getCacheManager(null, null, properties)
              .createCache("texts", options)
              .unwrap(VarveCache.class);
      for (int i = 0; i < WORDS / (WORDS_OF_A_TEXT / 2); i++) {
        cache.put(i, text(i));
      }
      Job<Long> job =
          MapReduce.<CacheEntry<Integer, String>, String, Long>map(
                  (entry, out) -> {
                    byte[] text = new byte[(int) entry.valueBytes().byteSize()];
                    entry.valueBytes().asByteBuffer().get(text);
                    int start = 1; // after the mark of a string
                    for (int at = 1; at < text.length; at++) {
                      if (text[at] == ' ') {
                        out.emit(new String(text, start, at - start, UTF_8), 1L);
                        start = at + 1;
                      }
                    }
                  })
              .combine(Long::sum)
              .start(cache.stream(), SmallHeapTest::countAsExpected);
      long counted = job.join();
      System.out.println("counted=" + counted + ", " + job.statistics());
    }
  }

  private static long countAsExpected(Stream<Map.Entry<String, Long>> results) {
    long count = 0;
    for (Iterator<Map.Entry<String, Long>> all = results.iterator(); all.hasNext(); count++) {
      Map.Entry<String, Long> result = all.next();
      int word = Integer.parseInt(result.getKey().substring("word".length()));
      if (result.getValue() != expected(word)) {
        throw new AssertionError("wrong count: " + result);
      }
    }
    return count;
  }
}
