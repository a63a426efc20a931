package io.varve.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Range;
import io.varve.Store;
import io.varve.StoreOptions;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What long texts of items take where pages are compressed.
class CompressedTextTest {
  private static final int LETTERS = 1_000_000;
  private static final Item TEXT = Item.of("text", 7L);

  @TempDir private Path directory;

  /// Letters at random have 4.7 bits each: no text of as many letters packs worse.
  @Test
  void aMillionLettersAtRandomTakeTwoThirdsOfAByteEach() throws IOException {
    String text = letters();
    assertThat(bytes("none", text)).isBetween(1_000_000L, 1_050_000L);
    assertThat(bytes("deflate", text)).isBetween(587_000L, 660_000L);
  }

  private static String letters() {
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder text = new StringBuilder(LETTERS);
    for (int i = 0; i < LETTERS; i++) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }

  private long bytes(String compression, String text) throws IOException {
    Path data = directory.resolve(compression);
    StoreOptions options = StoreOptions.defaults().compression(compression);
    try (Store store = Store.open(data, options)) {
      ItemSpace items = store.items("texts");
      try (Writer writer = items.writer(TEXT)) {
        writer.write(text);
      }
      items.commit();
    }
    try (Store store = Store.open(data, options)) {
      StringWriter read = new StringWriter();
      try (Reader reader = store.items("texts").reader(TEXT)) {
        reader.transferTo(read);
      }
      assertThat(read.toString()).isEqualTo(text);
      store.verify();
      return store.space("texts").approximateBytes(Range.all());
    }
  }
}
