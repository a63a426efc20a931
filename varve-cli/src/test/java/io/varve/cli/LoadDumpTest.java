package io.varve.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Store;
import io.varve.cli.console.Stdio;
import io.varve.test.SimulatedDisk;
import io.varve.test.UnmergedItems;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Loading and dumping, through each format and back.
final class LoadDumpTest {
  private static final long SEED = 20260417;

  @TempDir Path directory;

  private Cli store(String name) {
    return new Cli(directory.resolve(name));
  }

  private Path write(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }

  private static void assertSound(Cli cli) {
    assertThat(cli.run("verify").exitCode()).isZero();
  }

  @Test
  void csvRowsBecomeJsonObjects() throws IOException {
    Path csv =
        write("people.csv", "id,name,note\n7,\"Lovelace, Ada\",\"said \"\"yes\"\"\"\n8,Bob,\n");
    Cli cli = store("store");
    Cli.Result result = cli.run("load", csv.toString(), "--space", "people");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).startsWith("loaded 2 entries, ");
    assertThat(cli.run("scan", "people", "--width", "0").out())
        .isEqualTo(
            """
            7\t{"id":"7","name":"Lovelace, Ada","note":"said \\\\"yes\\\\""}
            8\t{"id":"8","name":"Bob","note":""}
            """);
    assertSound(cli);
  }

  @ParameterizedTest
  @CsvSource({"name,note", "2,3"})
  void csvColumnsAreChosenByNameOrNumber(String key, String value) throws IOException {
    Path csv = write("people.csv", "\uFEFFid,name,note\n7,Ada,first\n");
    Cli cli = store("store");
    cli.run("load", csv.toString(), "--space", "people", "--key", key, "--value", value);
    assertThat(cli.run("scan", "people").out()).isEqualTo("Ada\tfirst\n");
    assertSound(cli);
  }

  /// The mark that spreadsheets write is no part of a key or a name, wherever it precedes one.
  @Test
  void aByteOrderMarkIsNoPartOfWhatFollows() throws IOException {
    Cli cli = store("store");
    Path plain = write("plain.csv", "\uFEFF7,Ada\n");
    cli.run("load", plain.toString(), "--space", "plain", "--no-header");
    assertThat(cli.run("get", "plain", "7").out()).isEqualTo("[\"7\",\"Ada\"]");
    Path quoted = write("quoted.csv", "\uFEFF\"id\",\"name\"\n7,Ada\n");
    cli.run("load", quoted.toString(), "--space", "quoted", "--key", "id");
    assertThat(cli.run("get", "quoted", "7").out()).isEqualTo("{\"id\":\"7\",\"name\":\"Ada\"}");
    Path lines = write("lines.jsonl", "\uFEFF{\"id\":7}\n{\"id\":8}\n");
    cli.run("load", lines.toString(), "--space", "lines", "--key", "id");
    assertThat(cli.run("scan", "lines").out()).isEqualTo("7\t{\"id\":7}\n8\t{\"id\":8}\n");
    Path sql = write("dump.sql", "\uFEFFBEGIN TRANSACTION;\nCREATE TABLE t(a);\nCOMMIT;\n");
    assertThat(cli.run("load", sql.toString()).warnings()).isEmpty();
    assertThat(cli.run("load", write("few.csv", "7").toString(), "--space", "few").exitCode())
        .isZero();
  }

  @Test
  void csvWithoutHeader() throws IOException {
    Path tsv = write("people.tsv", "7\tAda\n8\tBob\n");
    Cli cli = store("store");
    cli.run("load", tsv.toString(), "--space", "people", "--no-header");
    assertThat(cli.run("scan", "people").out())
        .isEqualTo("7\t[\"7\",\"Ada\"]\n8\t[\"8\",\"Bob\"]\n");
    assertSound(cli);
  }

  /// As the message of an interrupted load states.
  @Test
  void whatWasLoadedIsSkipped() throws IOException {
    Path csv = write("people.csv", "id,name\n1,Ada\n2,Bob\n3,Cai\n");
    Cli cli = store("store");
    Cli.Result result = cli.run("load", csv.toString(), "--space", "people", "--skip", "2");
    assertThat(result.out()).startsWith("loaded 1 entries, ");
    assertThat(cli.run("scan", "people", "--keys").out()).isEqualTo("3\n");
    assertThat(cli.run("load", csv.toString(), "--space", "people", "--skip", "4").exitCode())
        .isEqualTo(2);
    assertThat(cli.run("load", csv.toString(), "--space", "people", "--skip=-1").err())
        .contains("--skip is negative");
    assertSound(cli);
  }

  @Test
  void aCorruptCsvRowIsNamedAndThoseBeforeItAreLoaded() throws IOException {
    Path csv = write("people.csv", "id,name\n1,\"two\nlines\"\n2,Bob,surplus\n3,Carol\n");
    Cli cli = store("store");
    Cli.Result result = cli.run("load", csv.toString(), "--space", "people");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .isEqualTo("varve: " + csv + ": line 4: the row has 3 fields where the first line has 2\n");
    assertThat(result.out()).startsWith("loaded 1 entries");
    assertThat(cli.run("scan", "people", "--keys").out()).isEqualTo("1\n");
    assertSound(cli);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2,\"Bob\n", "2,\"B\"ob\n"})
  void anOpenQuoteIsNamed(String row) throws IOException {
    Path csv = write("people.csv", "id,name\n1,Ada\n" + row);
    Cli cli = store("store");
    Cli.Result result = cli.run("load", csv.toString(), "--space", "people");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("varve: " + csv + ": line 3: a field in quotes does not end")
        .hasLineCount(1);
    assertThat(cli.run("scan", "people", "--keys").out()).isEqualTo("1\n");
  }

  @Test
  void emptyLinesOfACsvArePassedOver() throws IOException {
    Path csv = write("people.csv", "id,name\n\n1,Ada\n\n\n2,Bob,\n");
    Cli cli = store("store");
    assertThat(cli.run("load", csv.toString(), "--space", "people").err()).contains(": line 6: ");
    assertThat(cli.run("scan", "people", "--keys").out()).isEqualTo("1\n");
  }

  @Test
  void bytesThatAreNotUtf8AreRefused() throws IOException {
    Path csv =
        Files.write(
            directory.resolve("latin.csv"),
            new byte[] {'a', ',', 'b', '\n', (byte) 0xe4, ',', '1'});
    Cli.Result result = store("store").run("load", csv.toString(), "--space", "s");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("latin.csv", "UTF-8").hasLineCount(1);
  }

  @Test
  void aMissingColumnIsNamedWithThoseThatAreThere() throws IOException {
    Path csv = write("people.csv", "id,name\n1,Ada\n");
    assertThat(store("store").run("load", csv.toString(), "--space", "s", "--key", "nr").err())
        .isEqualTo("varve: " + csv + ": line 1: no column nr; there are: id, name\n");
  }

  @Test
  void jsonLinesByFieldAndPointer() throws IOException {
    Path json =
        write(
            "events.jsonl",
            """
            {"id": 1, "meta": {"at": "2026"}, "amount": 1.10}

            {"id": 2, "meta": {"at": "2027"}, "amount": 2}
            """);
    Cli cli = store("store");
    cli.run("load", json.toString(), "--space", "whole", "--key", "id");
    assertThat(cli.run("get", "whole", "1").out())
        .isEqualTo("{\"id\": 1, \"meta\": {\"at\": \"2026\"}, \"amount\": 1.10}");
    cli.run("load", json.toString(), "--space", "part", "--key", "/meta/at", "--value", "/amount");
    assertThat(cli.run("scan", "part").out()).isEqualTo("2026\t1.10\n2027\t2\n");
    assertSound(cli);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"id": 1}\\n{"id": 2           | line 2: not JSON
          {"id": 1}\\n{"nr": 2}          | line 2: no text or number at /id
          {"id": 1}\\n{"id": 2} trailing | line 2: not JSON
          {"id": 1}\\n{"id": {"a": 2}}   | line 2: no text or number at /id
          {"id": 1}\\n[{"id": 2}]        | line 2: an array, which is one value; write each
          {"id": 1}\\n{                  | line 2: not JSON on one line: Unexpected end-of-input: expected close marker for Object\\n
          {"id": 1}\\n{"id": NaN}        | line 2: not JSON on one line: Non-standard token 'NaN'\\n
          {"id": 1}\\n{"id": 2} {}       | line 2: not JSON on one line: Trailing token
          """)
  void aCorruptJsonLineIsNamed(String content, String expected) throws IOException {
    Path json = write("events.jsonl", content.replace("\\n", "\n"));
    Cli cli = store("store");
    Cli.Result result = cli.run("load", json.toString(), "--space", "events", "--key", "id");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("varve: " + json + ": " + expected.replace("\\n", "\n"))
        .hasLineCount(1);
    assertThat(cli.run("scan", "events", "--keys").out()).isEqualTo("1\n");
  }

  /// It reported that the array has no field 'key'.
  @Test
  void anArrayIsNoEntry() throws IOException {
    Path json = write("events.json", "[{\"id\": 1},{\"id\": 2}]");
    Cli.Result result = store("store").run("load", json.toString(), "--space", "events");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("line 1: an array, which is one value; write each");
  }

  /// Ctrl-C in the shell had no effect within a line, and a file without any was read into memory.
  @Test
  void anInterruptEndsALongLine() throws IOException {
    Path json = write("events.jsonl", "x".repeat(100_000));
    Thread.currentThread().interrupt();
    Cli.Result result = store("store").run("load", json.toString(), "--space", "s", "--key", "id");
    assertThat(Thread.interrupted()).isFalse();
    assertThat(result.exitCode()).isEqualTo(130);
  }

  @Test
  void ofEntriesWithOneKeyTheLastStays() {
    var lines = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      lines.append("{\"k\": ").append(i % 7).append(", \"v\": ").append(i).append("}\n");
    }
    Cli cli = store("store");
    Cli.Result result =
        cli.runWithInput(
            lines.toString(),
            "load",
            "-",
            "--format",
            "jsonl",
            "--space",
            "s",
            "--key",
            "k",
            "--value",
            "v",
            "--threads",
            "4",
            "--batch",
            "3");
    assertThat(result.out()).startsWith("loaded 5,000 entries");
    assertThat(cli.run("scan", "s").out())
        .isEqualTo("0\t4998\n1\t4999\n2\t4993\n3\t4994\n4\t4995\n5\t4996\n6\t4997\n");
    assertSound(cli);
  }

  @Test
  void aDirectoryAndAZipOfFiles() throws IOException {
    byte[] large = new byte[5 << 20]; // Above the length from which files are streamed.
    new Random(SEED).nextBytes(large);
    Path tree = Files.createDirectories(directory.resolve("tree/sub"));
    Files.writeString(tree.resolve("small"), "content");
    Files.write(tree.resolveSibling("large"), large);
    Path zip = directory.resolve("tree.zip");
    try (var out = new ZipOutputStream(Files.newOutputStream(zip))) {
      put(out, "sub/small", "content".getBytes());
      put(out, "large", large);
    }
    for (Path source : new Path[] {directory.resolve("tree"), zip}) {
      Cli cli = store("store of " + source.getFileName());
      assertThat(cli.run("load", source.toString(), "--space", "files").exitCode()).isZero();
      assertThat(cli.run("scan", "files", "--keys").out()).isEqualTo("large\nsub/small\n");
      assertThat(cli.run("get", "files", "sub/small").out()).isEqualTo("content");
      try (Store store = Store.open(directory.resolve("store of " + source.getFileName()))) {
        assertThat(store.space("files").get("large".getBytes())).isEqualTo(large);
      }
      assertSound(cli);
    }
  }

  /// `varve load .` read the store that it filled: the default one is in the working directory.
  @Test
  void theStoreIsNoPartOfTheDirectoryThatItIsIn() throws IOException {
    Files.createDirectories(directory.resolve("tree/sub"));
    write("tree/sub/small", "content");
    Cli cli = store("tree/./sub/store");
    String source = directory.resolve("tree").toString();
    for (int round = 0; round < 2; round++) {
      assertThat(cli.run("load", source, "--space", "files").exitCode()).isZero();
      assertThat(cli.run("scan", "files", "--keys").out()).isEqualTo("sub/small\n");
    }
    String line = "load " + source + " --space files\n";
    assertThat(cli.runWithInput(line, "shell").exitCode()).isZero();
    assertThat(cli.run("count", "files").out()).isEqualTo("1\n");
    Cli.Result itself =
        cli.run("load", source + "/sub/store", "--space", "files"); // loaded nothing
    assertThat(itself.exitCode()).isEqualTo(2);
    assertThat(itself.err())
        .startsWith("varve: " + source + "/sub/store: the directory of the store");
  }

  /// A file of a zip was unpacked into memory as long as it had bytes, whatever the zip states.
  @ParameterizedTest
  @ValueSource(ints = {0, 5, 101, 5 << 20})
  void aZipThatStatesAFalseLengthIsAnError(int stated) throws IOException {
    Cli cli = store("store");
    Path zip = directory.resolve("false.zip");
    try (var out = new ZipOutputStream(Files.newOutputStream(zip))) {
      put(out, "a.txt", new byte[100]);
    }
    byte[] bytes = Files.readAllBytes(zip);
    int header = new String(bytes, ISO_8859_1).indexOf("PK\1\2");
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(header + 24, stated);
    Files.write(zip, bytes);
    Cli.Result result = cli.run("load", zip.toString(), "--space", "files");
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.err()).contains("file=a.txt, stated=" + stated);
    assertThat(cli.run("count", "files").out()).isNotEqualTo("1\n");
  }

  @Test
  void tooManyThreadsAreAUsageError() {
    Cli.Result load = store("store").run("load", "a.csv", "--threads", "2000000000");
    assertThat(load.exitCode()).isEqualTo(2);
    assertThat(load.err()).contains("threads=2000000000, max=1024");
    Cli.Result demo = Cli.runBare("", "demo", "--threads", "1025");
    assertThat(demo.err()).contains("threads=1025, max=1024");
  }

  private static void put(ZipOutputStream out, String name, byte[] content) throws IOException {
    out.putNextEntry(new ZipEntry(name));
    out.write(content);
  }

  /// Random bytes, among them all that a text format must quote or cannot hold.
  private Cli storeOfRandomEntries(boolean textOnly) {
    var random = new Random(SEED);
    Path path = directory.resolve("random");
    try (Store store = Store.open(path)) {
      for (String name : new String[] {"one", "two, \"quoted\"", "\u00fcber"}) {
        store.transact(tx -> {
          for (int i = 0; i < 300; i++) {
            tx.put(store.space(name), bytes(random, 40, textOnly), bytes(random, 400, textOnly));
          }
        });
      }
    }
    return new Cli(path);
  }

  private static byte[] bytes(Random random, int lengthMax, boolean textOnly) {
    if (!textOnly && random.nextBoolean()) {
      var bytes = new byte[random.nextInt(lengthMax)];
      random.nextBytes(bytes);
      return bytes;
    }
    String alphabet = "ab,\"\n\r\t\\\0 \u00e4\u20ac\ud83d\ude00";
    int[] points = alphabet.codePoints().toArray();
    return random
        .ints(random.nextInt(lengthMax / 4), 0, points.length)
        .mapToObj(i -> Character.toString(points[i]))
        .reduce("", String::concat)
        .getBytes(UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"jsonl auto", "jsonl hex", "jsonl base64", "csv hex", "csv base64", "csv text"})
  void dumpLoadDumpGivesTheSame(String variant) {
    String format = variant.split(" ")[0];
    String encoding = variant.split(" ")[1];
    Cli source = storeOfRandomEntries(encoding.equals("text"));
    Cli.Result dump = source.run("dump", "--format", format, "--encoding", encoding);
    assertThat(dump.exitCode()).as(dump.err()).isZero();

    Cli target = store("target");
    Cli.Result load = target.runWithInput(dump.out(), "load", "-", "--format", format);
    assertThat(load.exitCode()).as(load.err()).isZero();

    assertThat(target.run("dump", "--format", format, "--encoding", encoding).out())
        .isEqualTo(dump.out());
    assertThat(target.run("dump", "--encoding", "hex").out())
        .isEqualTo(source.run("dump", "--encoding", "hex").out());
    assertSound(target);
  }

  /// The reader of JSON refused a string of more than 20 MB, so what was dumped could not be
  /// loaded.
  @Test
  void aLongValueIsLoadedAsItWasDumped() {
    byte[] value = new byte[20_100_000];
    Arrays.fill(value, (byte) 'x');
    try (Store store = Store.open(directory.resolve("source"))) {
      store.space("s").put("k".getBytes(UTF_8), value);
    }
    String dump = store("source").run("dump").out();
    Cli.Result load = store("target").runWithInput(dump, "load", "-", "--format", "jsonl");
    assertThat(load.exitCode()).as(load.err()).isZero();
    try (Store store = Store.open(directory.resolve("target"))) {
      assertThat(store.space("s").get("k".getBytes(UTF_8))).isEqualTo(value);
    }
  }

  /// A dump is mostly kept compressed.
  @Test
  void whatGzipHasCompressedIsLoaded() throws IOException {
    Path csv = compress("people.csv.gz", "\uFEFFid,name\n7,Ada\n8,Bob\n");
    Path sql = compress("old.SQL.gz", "BEGIN TRANSACTION;\nCREATE TABLE t(k, v);\nCOMMIT;\n");
    Cli cli = store("store");
    assertThat(cli.run("load", csv.toString(), "--space", "people").out())
        .startsWith("loaded 2 entries, ");
    assertThat(cli.run("load", sql.toString()).out()).startsWith("loaded 0 entries, ");
    assertThat(cli.run("scan", "people", "--keys").out()).isEqualTo("7\n8\n");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5, 30})
  void whatGzipDidNotWriteWholeIsNamed(int length) throws IOException {
    Path csv = compress("people.csv.gz", "id,name\n7,Ada\n8,Bob\n");
    Files.write(csv, Arrays.copyOf(Files.readAllBytes(csv), length));
    Cli.Result result = store("store").run("load", csv.toString(), "--space", "people");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).startsWith("varve: " + csv + ": not what gzip").hasLineCount(1);
  }

  private Path compress(String name, String content) throws IOException {
    Path file = directory.resolve(name);
    try (var out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(content.getBytes(UTF_8));
    }
    return file;
  }

  @Test
  void dumpGolden() {
    Cli cli = store("store");
    cli.run("put", "a", "k,1", "say \"hi\"");
    cli.run("put", "b", "0xff", "x");
    assertThat(cli.run("dump").out())
        .isEqualTo(
            """
            {"space":"a","key":"k,1","value":"say \\"hi\\""}
            {"space":"b","key:base64":"/w==","value":"x"}
            """);
    assertThat(cli.run("dump", "a", "--format", "csv").out())
        .isEqualTo("space,key,value\na,\"k,1\",\"say \"\"hi\"\"\"\n");
    assertThat(cli.run("dump", "b", "--format", "csv", "--encoding", "hex").out())
        .isEqualTo("space,key:hex,value:hex\nb,ff,78\n");
    Cli.Result refused = cli.run("dump", "b", "--format", "csv");
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err())
        .isEqualTo("varve: key or value is not UTF-8: key=\\xff; use --encoding base64 or hex\n");
    assertThat(cli.run("dump", "nobody").exitCode()).isEqualTo(1);
  }

  @Test
  void loadIntoAnotherSpaceThanTheDumpNames() {
    Cli cli = store("store");
    cli.run("put", "a", "k", "v");
    String dump = cli.run("dump").out();
    cli.runWithInput(dump, "load", "-", "--format", "jsonl", "--space", "copy");
    assertThat(cli.run("scan", "copy").out()).isEqualTo("k\tv\n");
  }

  @Test
  void wrongArgumentsOfLoad() throws IOException {
    Cli cli = store("store");
    Path csv = write("x.csv", "a,b\n1,2\n");
    assertThat(cli.run("load", csv.toString()).err()).contains("--space is missing");
    assertThat(cli.run("load", "-", "--space", "s").err()).contains("needs --format");
    assertThat(cli.run("load", write("x.dat", "").toString(), "--space", "s").err())
        .contains("name it by --format: ");
    assertThat(cli.run("load", csv.toString(), "--space", "s", "--batch", "0").exitCode())
        .isEqualTo(2);
    assertThat(cli.run("load", "nowhere.csv", "--space", "s").exitCode()).isEqualTo(3);
    assertThat(directory.resolve("store")).doesNotExist();
  }

  /// A reader that goes away, as `head` does, ends a dump without a word.
  @Test
  void aBrokenPipeEndsQuietly() {
    Cli cli = store("store");
    cli.run("put", "a", "k", "v");
    var err = new ByteArrayOutputStream();
    var stdio = new Stdio(InputStream.nullInputStream(), new BrokenPipe(), new PrintStream(err));
    String store = directory.resolve("store").toString();
    for (String[] command :
        new String[][] {
          {"dump"},
          {"dump", "--format", "csv"},
          {"scan", "a"},
          {"get", "a", "k"},
          {"spaces"},
          {"--help"}
        }) {
      var arguments =
          Stream.concat(Arrays.stream(command), Stream.of("-s", store)).toArray(String[]::new);
      assertThat(Main.run(stdio, arguments)).as(command[0]).isEqualTo(141);
      assertThat(err.toString()).isEmpty();
    }
  }

  private static final class BrokenPipe extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      throw new IOException("Broken pipe");
    }
  }

  /// Guards against a dump without what was committed and not yet merged into its item space.
  @Test
  void commitsOfItemsThatWaitInLayersAreDumped() throws IOException {
    int count = 3000;
    Path from = directory.resolve("from");
    writeTo(from, UnmergedItems.disk(count));
    Cli.Result dump = new Cli(from).run("dump");
    assertThat(new Cli(from).run("spaces").out()).as("left as it was").contains("~layer-");
    assertThat(dump.exitCode()).isZero();
    assertThat(dump.out()).hasLineCount(count).doesNotContain("~layer-");
    Cli to = store("to");
    assertThat(to.runWithInput(dump.out(), "load", "--format", "jsonl", "-").exitCode()).isZero();
    try (Store store = Store.open(directory.resolve("to"))) {
      assertThat(store.items("items").count()).isEqualTo(count);
    }
    assertSound(to);
  }

  private static void writeTo(Path directory, SimulatedDisk disk) throws IOException {
    for (String name : disk.fileNames()) {
      Path file = directory.resolve(name);
      Files.createDirectories(file.getParent());
      Files.write(file, disk.content(name));
    }
  }

  @Test
  void aNameThatIsReservedIsRefused() {
    String name = "items~layer-0000000000000000007";
    Cli cli = store("store");
    Cli.Result put = cli.run("put", name, "key", "value");
    assertThat(put.exitCode()).isEqualTo(2);
    assertThat(put.err()).startsWith("varve: space name is reserved").contains(name);
    Cli.Result load =
        cli.runWithInput("k,v\n1,2\n", "load", "--format", "csv", "--space", name, "-");
    assertThat(load.exitCode()).isEqualTo(2);
    Cli.Result lines =
        cli.runWithInput(
            "{\"space\":\"" + name + "\",\"key\":\"k\",\"value\":\"v\"}\n",
            "load",
            "--format",
            "jsonl",
            "-");
    assertThat(lines.exitCode()).isEqualTo(2);
    assertThat(lines.err()).contains("space name is reserved").contains(name);
    assertThat(cli.run("spaces").out()).isEmpty();
  }

  /// The row became an object with the last of the two alone.
  @Test
  void aCsvWithTwoColumnsOfOneNameIsAnError(@TempDir Path other) throws Exception {
    Path csv = Files.writeString(other.resolve("twice.csv"), "id,a,a\n1,x,y\n");
    Cli rows = new Cli(other.resolve("store"));
    Cli.Result result = rows.run("load", csv.toString(), "--space", "s", "--key", "id");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("twice.csv: line 1: two columns have one name: name=a");
    Cli.Result one = rows.run("load", csv.toString(), "--space", "s", "--value", "2");
    assertThat(one.exitCode()).isZero();
    Cli.Result either = rows.run("load", csv.toString(), "--space", "s", "--value", "a");
    assertThat(either.err()).contains("name=a; name the column by its number");
  }

  /// As question marks all such keys were one, and the last value stayed.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'key':'\\ud800','value':1}",
        "{'key':'k','value':'\\udc00'}",
        "{'key':'k','value':{'a':'\\ud800b'}}",
        "{'key':'k','space':'\\ud800','value':1}"
      })
  void halfOfACharacterIsAnError(String line, @TempDir Path other) {
    Cli into = new Cli(other.resolve("store"));
    String space = line.contains("space") ? "" : ",'space':'s'";
    String json = line.replace("{'key", "{'a':1" + space + ",'key");
    Cli.Result result =
        into.runWithInput("\n" + json.replace('\'', '"'), "load", "-", "--format", "jsonl");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("standard input: line 2: ", "a surrogate");
  }
}
