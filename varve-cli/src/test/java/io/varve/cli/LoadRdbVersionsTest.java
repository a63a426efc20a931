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

/// Loading RDB files of version 12 and later, byte by byte as Redis 7.4 and later write them.
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

  /// Names that Java has serialized, as many programs write them, ended the load.
  @Test
  void fieldsMayHaveNamesOfAnyBytes() throws IOException {
    start("0011").raw(4).text("bytes").raw(2);
    text("\u00ac\u00ed").text("1").text("a").text("\u00ff");
    Cli.Result result = load();
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(get("bytes"))
        .isEqualTo(
            "[{\"field\":\"a\",\"value\":{\"base64\":\"/w==\"}},"
                + "{\"field\":{\"base64\":\"rO0=\"},\"value\":\"1\"}]");
  }

  /// Version 13 was refused as a whole, whatever was in it.
  @Test
  void streamsOfProducersAreStreams() throws IOException {
    start("0013").raw(0).text("plain").text("string");
    stream("idle").raw(60, 40, 0, 0, 0);
    stream("kept").raw(60, 40, 2);
    text("p").raw(1).text("i").raw(1, 0);
    text("q").raw(2).text("j").raw(1, 0).text("k").raw(1, 0);
    raw(3, 1).raw(0).text("last").text("end");
    Cli.Result result = load();
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out()).startsWith("loaded 4 entries, ");
    assertThat(get("idle")).isEqualTo("[{\"id\":\"1-0\",\"fields\":{\"f\":\"v\"}}]");
    assertThat(get("kept")).isEqualTo(get("idle"));
    assertThat(get("last")).isEqualTo("end");
  }

  /// A stream of one entry, 1-0, until what type 26 has more than type 21.
  private LoadRdbVersionsTest stream(String key) {
    // Entries, deleted, fields of the first, their names, end; flags, millis, sequence, value,
    // length.
    return stream(26, key, 1, 0, 1, "f", 0, 2, 0, 0, "v", 4);
  }

  /// @param elements of the only listpack
  private LoadRdbVersionsTest stream(int type, String key, Object... elements) {
    raw(type).text(key).raw(1, 16).file.writeBytes(ByteBuffer.allocate(16).putLong(1).array());
    var body = new ByteArrayOutputStream();
    for (Object element : elements) {
      if (element instanceof String text) {
        body.write(0x80 | text.length());
        body.writeBytes(text.getBytes(ISO_8859_1));
        body.write(1 + text.length());
      } else if (element instanceof Long number) {
        body.write(LISTPACK_LONG);
        body.writeBytes(little(number, Long.BYTES));
        body.write(1 + Long.BYTES);
      } else {
        body.write((Integer) element);
        body.write(1);
      }
    }
    int bytes = 4 + 2 + body.size() + 1;
    raw(0x40 | bytes >> 8, bytes & 0xff).file.writeBytes(little(bytes, 4));
    file.writeBytes(little(elements.length, 2));
    file.writeBytes(body.toByteArray());
    // End of the listpack; length, last id, first id, last that was deleted, entries added, groups.
    return raw(0xff).raw(1, 1, 0, 1, 0, 0, 0, 1, 0);
  }

  /// Redis writes the names of the first entry one time. After an entry with others the next ones
  /// were read by its number of fields: they were wrong, or no file that can be read.
  @Test
  void entriesOfAStreamMayHaveOtherNames() throws IOException {
    start("0010");
    stream(
        21, "names", 3, 1, 1, "f", 0, // as of the helper above
        2, 0, 0, "v", 4, //
        0, 0, 1, 3, "b", "1", "a", "2", "b", "3", 10, //
        3, 0, 2, "gone", 4, //
        2, 0, 3, "w", 4);
    raw(0).text("last").text("end");
    Cli.Result result = load();
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(get("names"))
        .isEqualTo(
            "[{\"id\":\"1-0\",\"fields\":{\"f\":\"v\"}},"
                + "{\"id\":\"1-1\",\"fields\":[{\"field\":\"b\",\"value\":\"1\"},"
                + "{\"field\":\"a\",\"value\":\"2\"},{\"field\":\"b\",\"value\":\"3\"}]},"
                + "{\"id\":\"1-3\",\"fields\":{\"f\":\"w\"}}]");
    assertThat(get("last")).isEqualTo("end");
  }

  /// They are numbers without a sign, and from 2^63 on were negative.
  @Test
  void idsOfAStreamMayBeLarge() throws IOException {
    start("0010");
    stream(21, "ids", 2, 0, 1, "f", 0, 2, 0, -1L, "v", 4, 2, -2L, 0, "w", 4);
    Cli.Result result = load();
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(get("ids"))
        .isEqualTo(
            "[{\"id\":\"1-18446744073709551615\",\"fields\":{\"f\":\"v\"}},"
                + "{\"id\":\"18446744073709551615-0\",\"fields\":{\"f\":\"w\"}}]");
  }

  /// Redis has members of one score in the order of their bytes.
  @Test
  void bothZerosAreOneScore() throws IOException {
    start("0010").raw(17).text("zeros").listpack("b", "-0", "a", "0", "c", "-1");
    Cli.Result result = load();
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(get("zeros"))
        .isEqualTo(
            "[{\"member\":\"c\",\"score\":-1.0},{\"member\":\"a\",\"score\":0.0},"
                + "{\"member\":\"b\",\"score\":-0.0}]");
  }

  @Test
  void laterVersionsAreReadAsFarAsTheyAreKnown() throws IOException {
    Cli.Result known = start("0015").raw(0).text("plain").text("string").load();
    assertThat(known.exitCode()).as(known.err()).isZero();
    assertThat(get("plain")).isEqualTo("string");
    file.reset();
    requireRefused(
        start("0014").raw(27).text("stream"),
        "a value is of a type that Redis has from 8.8 on: type=27, max=26; write the file by Redis"
            + " 8.6 or before, or copy the keys to a node by a client");
    file.reset();
    requireRefused(start("0015").raw(242), "type=242, max=26");
    file.reset();
    requireRefused(start("0013").raw(243, 1), "which only Redis reads: type=243");
  }

  @Test
  void laterVersionsAreRefused() throws IOException {
    Cli.Result result = start("0016").raw(0).text("plain").text("string").load();
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .contains("its version is not known: version=16, min=2, max=15; write it by Redis 8.6");
  }

  /// They were refused by the exception of a library.
  @Test
  void filesOfOthersAreRefusedByName() throws IOException {
    file.writeBytes("VALKEY080".getBytes(ISO_8859_1));
    requireRefused(this, "it is of Valkey 9 or later; write it by Valkey 8, or copy the keys");
    file.reset();
    file.writeBytes("no dump of anything".getBytes(ISO_8859_1));
    requireRefused(this, "its first bytes are not REDIS");
  }

  /// Such hashes were keys that had expired, of a load that succeeded.
  @Test
  void damagedLengthsOfHashesAreRefused() throws IOException {
    requireRefused(
        hash(24).millis(PAST).raw(0xc1, 1).text("a").text("1"),
        "a value has the code of a string for a number: what=fields, code=1");
    requireRefused(hash(24).millis(PAST).raw(0), "a hash has no fields: count=0");
    requireRefused(hash(22).longLength(-3), "a hash has no fields: count=-3");
    requireRefused(
        hash(22).raw(1, 0xc3).text("a").text("1"),
        "a value has the code of a string for a number: what=end, code=3");
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

  /// Redis writes infinite scores as words. A file with one was refused by the exception of a
  /// number.
  @Test
  void scoresMayBeInfinite() throws IOException {
    start("0010").raw(17).text("new").listpack("a", "-inf", "b", "1.5", "c", 2L, "d", "inf");
    raw(12).text("old").ziplist("a", "-inf", "b", "1.5", "c", "2", "d", "inf");
    Cli.Result result = load();
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(get("new"))
        .isEqualTo(
            "[{\"member\":\"a\",\"score\":\"-inf\"},{\"member\":\"b\",\"score\":1.5},"
                + "{\"member\":\"c\",\"score\":2.0},{\"member\":\"d\",\"score\":\"inf\"}]");
    assertThat(get("old")).isEqualTo(get("new"));
    file.reset();
    requireRefused(
        start("0010").raw(17).text("odd").listpack("a", "1", "b"),
        "a list is not of members and scores: elements=3");
  }

  /// A string of the file that is a list as Redis had it before version 7.
  private LoadRdbVersionsTest ziplist(String... elements) {
    var body = new ByteArrayOutputStream();
    int before = 0;
    for (String element : elements) {
      body.write(before);
      body.write(element.length());
      body.writeBytes(element.getBytes(ISO_8859_1));
      before = 2 + element.length();
    }
    int tail = 4 + 4 + 2 + body.size() - before;
    int bytes = tail + before + 1;
    raw(bytes).file.writeBytes(little(bytes, 4));
    file.writeBytes(little(tail, 4));
    file.writeBytes(little(elements.length, 2));
    file.writeBytes(body.toByteArray());
    return raw(0xff);
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
