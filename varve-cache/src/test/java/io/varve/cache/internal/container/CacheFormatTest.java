package io.varve.cache.internal.container;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.cache.CacheOptions;
import io.varve.cache.Marshaller;
import io.varve.cache.StorageMode;
import io.varve.cache.VarveCachingProvider;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import javax.cache.CacheManager;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Reads the spaces of caches by the tables of docs/FORMAT.md alone.
class CacheFormatTest {
  private static final int SEGMENTS = 20;
  private static final int STRIPES = 8;

  @TempDir Path directory;

  /// Texts as UTF-8.
  private static final class Utf8 implements Marshaller<String> {
    @Override
    public byte[] toBytes(String text) {
      return text.getBytes(UTF_8);
    }

    @Override
    public String fromBytes(byte[] bytes) {
      return new String(bytes, UTF_8);
    }
  }

  private static CacheOptions<String, String> options() {
    CacheOptions<String, String> options = new CacheOptions<>();
    return options
        .keyMarshaller(new Utf8())
        .valueMarshaller(new Utf8())
        .mode(StorageMode.PAGES)
        .durability(Durability.BACKGROUND)
        .segments(SEGMENTS);
  }

  private void fill(CacheOptions<String, String> options, Map<String, String> entries) {
    var properties = new Properties();
    properties.setProperty(VarveCachingProvider.DIRECTORY, directory.toString());
    try (var provider = new VarveCachingProvider();
        CacheManager manager = provider.getCacheManager(null, null, properties)) {
      manager.createCache("texts", options).putAll(entries);
    }
  }

  /// Which spaces the cache has, according to the catalog.
  private static int number(Store store) {
    byte[] key = "\u0001texts".getBytes(UTF_8);
    ByteBuffer value = ByteBuffer.wrap(store.space("varve.cache").get(key));
    int number = value.getInt();
    assertThat(value.getInt()).isEqualTo(SEGMENTS);
    assertThat(value.remaining()).isZero();
    return number;
  }

  private static int segment(byte[] key) {
    long hash = 0xcbf29ce484222325L;
    for (byte each : key) {
      hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
    }
    hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
    return (int) Long.remainderUnsigned(hash ^ hash >>> 33, SEGMENTS);
  }

  /// The key of an entry, as the table has it.
  private static byte[] entryKey(String key) throws Exception {
    byte[] bytes = key.getBytes(UTF_8);
    boolean isLong = bytes.length > 3000;
    byte[] last = isLong ? MessageDigest.getInstance("SHA-256").digest(bytes) : bytes;
    return ByteBuffer.allocate(3 + last.length)
        .putShort((short) segment(bytes))
        .put((byte) (isLong ? 1 : 0))
        .put(last)
        .array();
  }

  private static Space spaceOf(Store store, int number, String key) {
    int stripe = segment(key.getBytes(UTF_8)) % STRIPES;
    return store.space("varve.cache-" + number + "-" + stripe);
  }

  private static long count(Store store, int number) {
    long count = 0;
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      count += store.space("varve.cache-" + number + "-" + stripe).count(Range.all());
    }
    return count;
  }

  @Test
  void entriesAreWhereTheTablesSay() throws Exception {
    Map<String, String> entries = new HashMap<>();
    for (int i = 0; i < 100; i++) {
      entries.put("key " + i, "value " + i);
    }
    entries.put("long ".repeat(1000), "of a long key");
    fill(options(), entries);
    try (Store store = Store.open(directory)) {
      int number = number(store);
      for (var entry : entries.entrySet()) {
        String key = entry.getKey();
        ByteBuffer value = ByteBuffer.wrap(spaceOf(store, number, key).get(entryKey(key)));
        boolean isLong = key.length() > 3000;
        assertThat(value.get()).isEqualTo((byte) (isLong ? 2 : 0));
        if (isLong) {
          assertThat(text(value, value.getInt())).isEqualTo(key);
        }
        assertThat(text(value, value.remaining())).isEqualTo(entry.getValue());
      }
      assertThat(count(store, number)).isEqualTo(entries.size());
    }
  }

  @Test
  void endsAreWhereTheTablesSay() throws Exception {
    CacheOptions<String, String> options = options();
    options.setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(new Duration(TimeUnit.DAYS, 1)));
    long before = System.currentTimeMillis();
    fill(options, Map.of("k", "v"));
    try (Store store = Store.open(directory)) {
      int number = number(store);
      byte[] key = entryKey("k");
      ByteBuffer value = ByteBuffer.wrap(spaceOf(store, number, "k").get(key));
      assertThat(value.get()).isEqualTo((byte) 1);
      long end = value.getLong();
      long day = TimeUnit.DAYS.toMillis(1);
      assertThat(end).isBetween(before + day, System.currentTimeMillis() + day);
      assertThat(text(value, value.remaining())).isEqualTo("v");
      byte[] endKey =
          ByteBuffer.allocate(9 + key.length)
              .put((byte) 0xff)
              .putLong(end ^ Long.MIN_VALUE)
              .put(key)
              .array();
      assertThat(spaceOf(store, number, "k").get(endKey)).isEmpty();
      assertThat(count(store, number)).isEqualTo(2);
    }
  }

  @Test
  void changesThatWaitAreWhereTheTablesSay() {
    try (Store store = Store.inMemory()) {
      WaitingWrites writes = WaitingWrites.of(store, "texts", Durability.NONE);
      writes.add(new WaitingWrites.Change(7, new byte[] {1, 2}, new byte[] {3}), List.of());
      writes.add(new WaitingWrites.Change(8, new byte[] {1, 2}, null), List.of());
      try (Cursor cursor = store.space("varve.cache.writes").cursor(Range.all())) {
        for (long number = 7; number < 9; number++) {
          assertThat(cursor.next()).isTrue();
          ByteBuffer key = ByteBuffer.wrap(cursor.key());
          assertThat(text(key, key.getInt())).isEqualTo("texts");
          assertThat(key.getLong()).isEqualTo(number);
          assertThat(key.remaining()).isZero();
          byte[] value = cursor.value();
          assertThat(Arrays.copyOf(value, 7))
              .containsExactly(number == 7 ? 0 : 1, 0, 0, 0, 2, 1, 2);
          assertThat(Arrays.copyOfRange(value, 7, value.length))
              .isEqualTo(number == 7 ? new byte[] {3} : new byte[0]);
        }
        assertThat(cursor.next()).isFalse();
      }
    }
  }

  private static String text(ByteBuffer buffer, int length) {
    byte[] bytes = new byte[length];
    buffer.get(bytes);
    return new String(bytes, UTF_8);
  }
}
