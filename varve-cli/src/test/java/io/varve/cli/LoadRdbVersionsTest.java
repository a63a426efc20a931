package io.varve.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Loading RDB files of version 12, byte by byte as `src/rdb.c` of Redis 7.4 writes them.
@Timeout(60)
final class LoadRdbVersionsTest {
  private static final long PAST = 1_000;
  private static final long FUTURE = 4_102_444_800_000L; // the year 2100
  private static final int LONG_LENGTH = 0x81;
  private static final int LISTPACK_LONG = 0xf4;

  @TempDir Path directory;

  private final ByteArrayOutputStream file = new ByteArrayOutputStream();

  private static byte[] little(long number, int bytes) {
    byte[] all =
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
    return Arrays.copyOf(all, bytes);
  }

  private LoadRdbVersionsTest raw(int... bytes) {
    for (int each : bytes) {
      file.write(each);
    }
    return this;
  }

  private LoadRdbVersionsTest text(String text) {
    raw(text.length()).file.writeBytes(text.getBytes(ISO_8859_1));
    return this;
  }

  private LoadRdbVersionsTest millis(long millis) {
    file.writeBytes(little(millis, Long.BYTES));
    return this;
  }

  private LoadRdbVersionsTest longLength(long length) {
    raw(LONG_LENGTH).file.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(length).array());
    return this;
  }

  /// A string of the file that is a listpack: a name, a value and an end, again and again.
  private LoadRdbVersionsTest listpack(Object... elements) {
    var body = new ByteArrayOutputStream();
    for (Object element : elements) {
      byte[] bytes;
      if (element instanceof String text) {
        body.write(0x80 | text.length());
        bytes = text.getBytes(ISO_8859_1);
      } else {
        body.write(LISTPACK_LONG);
        bytes = little((Long) element, Long.BYTES);
      }
      body.writeBytes(bytes);
      body.write(1 + bytes.length); // how far the element reaches back
    }
    int bytes = 4 + 2 + body.size() + 1;
    raw(0x40 | bytes >> 8, bytes & 0xff).file.writeBytes(little(bytes, 4));
    file.writeBytes(little(elements.length, 2));
    file.writeBytes(body.toByteArray());
    return raw(0xff);
  }

  private Cli.Result load() throws IOException {
    raw(0xff).millis(0);
    Path rdb = Files.write(directory.resolve("new.rdb"), file.toByteArray());
    return new Cli(directory.resolve("store")).run("load", rdb.toString());
  }

  private String get(String key) {
    return new Cli(directory.resolve("store")).run("get", "db0", key).out();
  }

  private LoadRdbVersionsTest start(String version) {
    file.writeBytes(("REDIS" + version).getBytes(ISO_8859_1));
    return raw(0xfe, 0, 0xf4, 5, 7, 6); // database 0, slot 5 with 7 keys
  }

  @Test
  void hashesWhoseFieldsEndAreHashes() throws IOException {
    start("0012").raw(0).text("plain").text("string");
    raw(24).text("fields").millis(PAST).raw(3);
    raw(0).text("a").text("1").raw(1).text("b").text("2");
    longLength(FUTURE - PAST + 1).text("c").text("3");
    raw(25).text("pack").millis(PAST);
    listpack("a", "1", 0L, "b", "2", PAST, "c", 3L, FUTURE);
    raw(22).text("early fields").raw(2).longLength(FUTURE).text("a").text("1");
    raw(0).text("b").text("2");
    raw(23).text("early pack").listpack("a", "1", PAST, "b", "2", FUTURE);
    raw(0xf4, 6, 1, 0, 0xfc).millis(FUTURE).raw(0xf4, 6, 1, 0); // a slot after an end as well
    raw(25).text("ends").millis(FUTURE).listpack("a", "1", FUTURE);
    raw(24).text("gone").millis(PAST).raw(1, 1).text("a").text("1");
    raw(4).text("last").raw(1).text("a").text("1");
    Cli.Result result = load();
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out()).startsWith("loaded 7 entries, ");
    assertThat(get("plain")).isEqualTo("string");
    assertThat(get("fields")).isEqualTo("{\"a\":\"1\",\"c\":\"3\"}");
    assertThat(get("pack")).isEqualTo("{\"a\":\"1\",\"c\":\"3\"}");
    assertThat(get("early fields")).isEqualTo("{\"a\":\"1\",\"b\":\"2\"}");
    assertThat(get("early pack")).isEqualTo("{\"b\":\"2\"}");
    assertThat(get("ends")).isEqualTo("{\"a\":\"1\"}");
    assertThat(get("last")).isEqualTo("{\"a\":\"1\"}");
    assertThat(result.err())
        .contains(
            "1 keys had expired, and were left out",
            "1 keys had a time to live, and have none now",
            "4 fields of hashes had expired, and were left out",
            "5 fields of hashes had a time to live, and have none now");
  }

  @Test
  void laterVersionsAreRefused() throws IOException {
    Cli.Result result = start("0013").raw(0).text("plain").text("string").load();
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .contains("its version is not known: version=13, min=2, max=12; write it by Redis 8.0");
  }

  /// Such hashes were keys that had expired, of a load that succeeded.
  @Test
  void damagedLengthsOfHashesAreRefused() throws IOException {
    requireRefused(
        hash(24).millis(PAST).raw(0xc1, 1).text("a").text("1"),
        "a hash has the code of a string for a number: what=fields, code=1");
    requireRefused(hash(24).millis(PAST).raw(0), "a hash has no fields: count=0");
    requireRefused(hash(22).longLength(-3), "a hash has no fields: count=-3");
    requireRefused(
        hash(22).raw(1, 0xc3).text("a").text("1"),
        "a hash has the code of a string for a number: what=end, code=3");
    requireRefused(
        hash(22).raw(1).longLength(-PAST).text("a").text("1"),
        "a field ends before 1970: millis=-1000");
    requireRefused(
        hash(24).millis(FUTURE).raw(1).longLength(Long.MAX_VALUE).text("a").text("1"),
        "a field ends after all times: first=" + FUTURE);
    requireRefused(hash(4).raw(0), "a hash has no fields: key=damaged");
  }

  @Test
  void listpacksOfNoWholeFieldsAreRefused() throws IOException {
    requireRefused(hash(23).listpack(), "a listpack is not of names, values and ends: elements=0");
    requireRefused(
        hash(25).millis(PAST).listpack("a", "1", PAST, "b"),
        "a listpack is not of names, values and ends: elements=4");
    requireRefused(hash(23).listpack("a", "1", -PAST), "a field ends before 1970: millis=-1000");
  }

  private LoadRdbVersionsTest hash(int type) {
    file.reset();
    return start("0012").raw(type).text("damaged");
  }

  private static void requireRefused(LoadRdbVersionsTest damaged, String message)
      throws IOException {
    Cli.Result result = damaged.load();
    assertThat(result.exitCode()).as(result.out()).isEqualTo(2);
    assertThat(result.err()).contains(message);
  }
}
