package io.varve.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.StringWriter;
import java.io.Writer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Long binaries and texts as chunks.
class ItemStreamTest {
  private static final StoreOptions OPTIONS =
      StoreOptions.defaults()
          .cacheBytes(1 << 20)
          .log(log -> log.bytesMax(4 << 20).segmentBytes(1 << 20));

  private static final Item PREFIX = Item.of("picture", 7L);

  private final SimulatedDisk disk = new SimulatedDisk(1);

  /// Many times what the cache and the open changes may take.
  @Test
  void aLongBinaryComesBackAsItWas() throws IOException {
    int length = (6 << 20) + 100;
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      ItemSpace items = store.items("items");
      items.insert(Item.of("picture", 8L));
      Random random = new Random(1);
      byte[] part = new byte[10_000];
      try (OutputStream out = items.outputStream(PREFIX)) {
        for (int left = length; left > 0; left -= part.length) {
          random.nextBytes(part);
          out.write(part, 0, Math.min(left, part.length));
        }
      }
      items.commit();
      Random again = new Random(1);
      int read = 0;
      try (InputStream in = items.inputStream(PREFIX)) {
        byte[] expected = new byte[10_000];
        for (int left = length; left > 0; left -= part.length) {
          again.nextBytes(expected);
          int count = in.readNBytes(part, 0, Math.min(left, part.length));
          read += count;
          assertThat(Arrays.equals(part, 0, count, expected, 0, count)).isTrue();
        }
        assertThat(in.read()).isEqualTo(-1);
      }
      assertThat(read).isEqualTo(length);
      assertThat(items.count(PREFIX)).isEqualTo((length + 1023) / 1024);
      try (OutputStream out = items.outputStream(PREFIX)) {
        out.write('x');
      }
      assertThat(items.scan(PREFIX))
          .containsExactly(PREFIX.toBuilder().index(0).bytes(new byte[] {'x'}).build());
      items.rollback();
      assertThat(items.count(PREFIX)).isEqualTo((length + 1023) / 1024);
    }
  }

  @Test
  void aLongTextComesBackAsItWas() throws IOException {
    try (Store store = Store.inMemory()) {
      ItemSpace items = store.items("items");
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < 5000; i++) {
        text.append("Zeile \ud83d\ude00 ").append(i);
      }
      Writer writer = items.writer(PREFIX);
      writer.write(text.toString());
      writer.flush();
      writer.close();
      writer.close();
      assertThatThrownBy(() -> writer.write("x")).isInstanceOf(IOException.class);
      StringWriter read = new StringWriter();
      try (Reader reader = items.reader(PREFIX)) {
        assertThat((char) reader.read()).isEqualTo('Z');
        reader.transferTo(read);
      }
      assertThat(text).hasToString("Z" + read);
      try (ItemSnapshot snapshot = items.snapshot();
          Reader nothing = snapshot.reader(Item.of("none"))) {
        assertThat(nothing.read()).isEqualTo(-1);
        assertThat(snapshot.inputStream(Item.of("none")).read(new byte[3])).isEqualTo(-1);
      }
    }
  }
}
