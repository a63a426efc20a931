package io.varve.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.KeySource;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.cli.console.Stdio;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The commands that read and write single entries and ranges.
final class EntryCommandsTest {
  @TempDir Path directory;
  private Cli cli;

  @BeforeEach
  void fill() {
    cli = new Cli(directory.resolve("store"));
    try (Store store = Store.open(directory.resolve("store"))) {
      Space users = store.space("users");
      store.transact(tx -> {
        for (String key : new String[] {"alice", "bob", "carol"}) {
          tx.put(users, key.getBytes(UTF_8), ("value of " + key).getBytes(UTF_8));
        }
      });
    }
  }

  @AfterEach
  void verify() {
    assertThat(cli.run("verify").exitCode()).isZero();
  }

  @Test
  void getPrintsTheValueAsItIs() {
    assertThat(cli.run("get", "users", "bob")).isEqualTo(new Cli.Result(0, "value of bob", ""));
  }

  @Test
  void getOfAnAbsentKeyIsNegative() {
    assertThat(cli.run("get", "users", "dave"))
        .isEqualTo(new Cli.Result(1, "", "varve: no such key in users: dave\n"));
  }

  @Test
  void getInAnAbsentSpaceIsNegative() {
    assertThat(cli.run("get", "nobody", "dave"))
        .isEqualTo(
            new Cli.Result(1, "", "varve: no such space: nobody; 'varve spaces' lists them\n"));
  }

  @Test
  void getEncodes() {
    assertThat(cli.run("put", "bytes", "0x00ff", "--file", file("a\n\u00e4").toString()).exitCode())
        .isZero();
    assertThat(cli.run("get", "bytes", "\\0\\xff", "-o", "hex").out()).isEqualTo("610ac3a4\n");
    assertThat(cli.run("get", "bytes", "\\0\\xff", "-o", "base64").out()).isEqualTo("YQrDpA==\n");
    assertThat(cli.run("get", "bytes", "00ff", "--hex", "-o", "text").out())
        .isEqualTo("a\\n\u00e4\n");
  }

  @Test
  void putTakesTheValueFromStandardInput() {
    assertThat(cli.runWithInput("line 1\nline 2\n", "put", "users", "dave").exitCode()).isZero();
    assertThat(cli.run("get", "users", "dave").out()).isEqualTo("line 1\nline 2\n");
  }

  @Test
  void putTakesALargeValueFromAFile() throws Exception {
    byte[] content = new byte[3_000_000];
    new Random(content.length).nextBytes(content);
    Path file = Files.write(directory.resolve("large"), content);
    assertThat(cli.run("put", "files", "large", "-f", file.toString()).exitCode()).isZero();
    assertThat(cli.run("get", "files", "large", "-o", "hex").out())
        .isEqualTo(HexFormat.of().formatHex(content) + "\n");
  }

  @Test
  void putRefusesTwoValues() {
    assertThat(cli.run("put", "users", "dave", "a", "--file", "b"))
        .isEqualTo(new Cli.Result(2, "", "varve: give either VALUE or --file\n"));
  }

  /// More than is held in memory: such a value has to be measured first.
  @Test
  void aLongValueComesThroughAPipe() throws Exception {
    byte[] content = new byte[(3 << 20) + 7];
    new Random(1).nextBytes(content);
    assertThat(cli.runWithInput(content, "put", "s", "input").exitCode()).isZero();
    assertThat(stored("input")).isEqualTo(content);
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there are no named pipes in its directories")
  void aLongValueComesThroughANamedPipe() throws Exception {
    byte[] content = new byte[(3 << 20) + 7];
    new Random(2).nextBytes(content);
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Thread writer =
        Thread.ofPlatform()
            .start(() -> {
              try {
                Files.write(pipe, content, StandardOpenOption.WRITE);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    assertThat(cli.run("put", "s", "pipe", "--file", pipe.toString()).exitCode()).isZero();
    writer.join();
    assertThat(stored("pipe")).isEqualTo(content);
  }

  /// The message was that of the system alone, without what to do.
  @Test
  void aTemporaryFileThatCannotBeMadeNamesTheDirectory() {
    Path missing = directory.resolve("missing");
    Cli.Result result =
        withTemporaryFilesIn(
            missing, () -> cli.runWithInput(new byte[(1 << 20) + 1], "put", "s", "input"));
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.err())
        .contains(
            "directory=" + missing + ", bytes=0, cause=",
            "VARVE_JAVA_OPTIONS=-Djava.io.tmpdir=DIRECTORY");
  }

  /// An interrupt closed the channel of the temporary file: the message was "null".
  @Test
  void anInterruptHarmsNoTemporaryFile() {
    var end =
        new InputStream() {
          @Override
          public int read() {
            Thread.currentThread().interrupt();
            return -1;
          }
        };
    byte[] content = new byte[(1 << 20) + 1];
    Cli.Result result = putStream(new SequenceInputStream(new ByteArrayInputStream(content), end));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(result).isEqualTo(new Cli.Result(0, "", ""));
    assertThat(stored("input")).isEqualTo(content);
  }

  @Test
  void anInterruptEndsALongInput() {
    Thread.currentThread().interrupt();
    Cli.Result result = cli.runWithInput(new byte[(1 << 20) + 1], "put", "s", "input");
    assertThat(Thread.interrupted()).isFalse();
    assertThat(result).isEqualTo(new Cli.Result(130, "", "varve: interrupted\n"));
  }

  @Test
  void anInputThatFailsIsNoFailureOfTheTemporaryFile() {
    var failing =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the input failed");
          }
        };
    var start = new ByteArrayInputStream(new byte[(1 << 20) + 1]);
    assertThat(putStream(new SequenceInputStream(start, failing)))
        .isEqualTo(new Cli.Result(3, "", "varve: the input failed\n"));
  }

  private Cli.Result putStream(InputStream input) {
    var err = new ByteArrayOutputStream();
    var stdio = new Stdio(input, new ByteArrayOutputStream(), new PrintStream(err, true, UTF_8));
    String store = directory.resolve("store").toString();
    int exitCode = Main.run(stdio, "put", "s", "input", "--store", store);
    return new Cli.Result(exitCode, "", err.toString(UTF_8));
  }

  /// With its key, or without: the command without it wrote the value in clear, and was then
  /// refused.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @EnabledOnOs(value = OS.LINUX, disabledReason = "it has /proc")
  void aLongValueIsInClearInNoFile(boolean isKeyGiven) throws Exception {
    Path secret = directory.resolve("secret");
    Path temporary = Files.createDirectory(directory.resolve("temporary"));
    Path keyFile = Files.writeString(directory.resolve("key"), "a".repeat(64) + "\n");
    Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
    StoreOptions options = StoreOptions.defaults().encryption(KeySource.file(keyFile));
    Store.open(secret, options).close();
    byte[] content = "in clear, ".repeat(300_000).getBytes(UTF_8);
    List<byte[]> files = new ArrayList<>();
    var end =
        new InputStream() {
          @Override
          public int read() throws IOException {
            for (Path open : openIn(temporary)) {
              files.add(Files.readAllBytes(open));
            }
            return -1;
          }
        };
    List<String> arguments =
        new ArrayList<>(List.of("put", "s", "k", "--store", secret.toString()));
    if (isKeyGiven) {
      arguments.addAll(List.of("--key-file", keyFile.toString()));
    }
    int exitCode =
        withTemporaryFilesIn(
            temporary,
            () ->
                Main.run(
                    new Stdio(
                        new SequenceInputStream(new ByteArrayInputStream(content), end),
                        new ByteArrayOutputStream(),
                        new PrintStream(new ByteArrayOutputStream(), true, UTF_8)),
                    arguments.toArray(String[]::new)));
    assertThat(files).hasSize(1);
    assertThat(files.getFirst()).hasSize(content.length);
    assertThat(new String(files.getFirst(), ISO_8859_1)).doesNotContain("clear");
    assertThat(exitCode == 0).isEqualTo(isKeyGiven);
    try (Store store = Store.open(secret, options)) {
      assertThat(store.space("s").get("k".getBytes(UTF_8))).isEqualTo(isKeyGiven ? content : null);
    }
  }

  /// The files of a directory that this process has open: they have no names there any more.
  private static List<Path> openIn(Path temporary) throws IOException {
    List<Path> open = new ArrayList<>();
    try (Stream<Path> links = Files.list(Path.of("/proc/self/fd"))) {
      for (Path link : links.toList()) {
        try {
          if (Files.readSymbolicLink(link).startsWith(temporary.toRealPath())) {
            open.add(link);
          }
        } catch (IOException _) {
          // closed since it was listed
        }
      }
    }
    return open;
  }

  private static <T> T withTemporaryFilesIn(Path temporary, Supplier<T> work) {
    String before = System.setProperty("java.io.tmpdir", temporary.toString());
    try {
      return work.get();
    } finally {
      System.setProperty("java.io.tmpdir", before);
    }
  }

  private byte[] stored(String key) {
    try (Store store = Store.open(directory.resolve("store"))) {
      return store.space("s").get(key.getBytes(UTF_8));
    }
  }

  /// A file of the system that names no length, as a pipe does: it was put as an empty value.
  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "it has /proc")
  void putTakesAFileThatNamesNoLength() throws Exception {
    Path file = Path.of("/proc/self/cmdline");
    cli.run("put", "s", "k", "--file", file.toString());
    assertThat(cli.run("get", "s", "k").out()).isEqualTo(Files.readString(file));
  }

  @Test
  void putOfAMissingFileNamesIt() {
    String missing = directory.resolve("missing").toString();
    assertThat(cli.run("put", "users", "dave", "--file", missing))
        .isEqualTo(new Cli.Result(3, "", "varve: no such file: " + missing + "\n"));
  }

  @ParameterizedTest
  @EnumSource(
      value = Durability.class,
      names = {"POWER_LOSS", "PROCESS_CRASH", "BACKGROUND"})
  void putTakesADurability(Durability durability) {
    assertThat(cli.run("put", "users", "dave", "x", "--durability", durability.name()).exitCode())
        .isZero();
    assertThat(cli.run("get", "users", "dave").out()).isEqualTo("x");
  }

  @Test
  void aKeyTooLongIsAUsageError() {
    String key = "k".repeat(Space.KEY_BYTES_MAX + 1);
    assertThat(cli.run("put", "users", key, "x"))
        .isEqualTo(new Cli.Result(2, "", "varve: key too long: bytes=4097, max=4096\n"));
  }

  @Test
  void aWrongEscapeIsAUsageError() {
    assertThat(cli.run("get", "users", "a\\q").exitCode()).isEqualTo(2);
    assertThat(cli.run("get", "users", "0xabc").err())
        .isEqualTo("varve: not pairs of hex digits: 'abc'\n");
  }

  @Test
  void deleteShowsHowManyWereThere() {
    assertThat(cli.run("delete", "users", "alice", "nobody", "bob"))
        .isEqualTo(new Cli.Result(0, "deleted 2 keys\n", ""));
    assertThat(cli.run("delete", "users", "alice"))
        .isEqualTo(new Cli.Result(1, "deleted 0 keys\n", ""));
    assertThat(cli.run("scan", "users", "--keys").out()).isEqualTo("carol\n");
  }

  @Test
  void deleteOfARange() {
    assertThat(cli.run("delete", "users", "--from", "b").out()).isEqualTo("deleted 2 keys\n");
    assertThat(cli.run("scan", "users", "--keys").out()).isEqualTo("alice\n");
  }

  @Test
  void deleteOfEverythingMustBeMeant() {
    assertThat(cli.run("delete", "users").exitCode()).isEqualTo(2);
    assertThat(cli.run("count", "users").out()).isEqualTo("3\n");
  }

  @Test
  void scanPrintsKeysAndValues() {
    assertThat(cli.run("scan", "users"))
        .isEqualTo(
            new Cli.Result(
                0, "alice\tvalue of alice\nbob\tvalue of bob\ncarol\tvalue of carol\n", ""));
  }

  @Test
  void scanOfARange() {
    assertThat(cli.run("scan", "users", "-k", "--from", "alice", "--to", "carol").out())
        .isEqualTo("alice\nbob\n");
    assertThat(cli.run("scan", "users", "-k", "--prefix", "b").out()).isEqualTo("bob\n");
    assertThat(cli.run("scan", "users", "-k", "--reverse", "--limit", "2").out())
        .isEqualTo("carol\nbob\n");
    assertThat(cli.run("scan", "users", "-k", "-r", "--to", "carol", "-n", "1").out())
        .isEqualTo("bob\n");
    assertThat(cli.run("scan", "users", "--prefix", "x").out()).isEmpty();
  }

  @Test
  void scanFormats() {
    assertThat(cli.run("scan", "users", "-n", "1", "-o", "hex").out())
        .isEqualTo("616c696365\t76616c7565206f6620616c696365\n");
    assertThat(cli.run("scan", "users", "-n", "1", "-o", "json").out())
        .isEqualTo("{\"space\":\"users\",\"key\":\"alice\",\"value\":\"value of alice\"}\n");
    assertThat(cli.run("scan", "users", "-n", "1", "-k", "-o", "json").out())
        .isEqualTo("{\"space\":\"users\",\"key\":\"alice\"}\n");
    assertThat(cli.run("scan", "users", "-n", "1", "--width", "5").out())
        .isEqualTo("alice\tvalue...\n");
  }

  @Test
  void countOfARange() {
    assertThat(cli.run("count", "users").out()).isEqualTo("3\n");
    assertThat(cli.run("count", "users", "--from", "b").out()).isEqualTo("2\n");
    assertThat(cli.run("count", "nobody").exitCode()).isEqualTo(1);
  }

  @Test
  void spacesAreListedInOrder() {
    assertThat(cli.run("put", "a space", "k", "v").exitCode()).isZero();
    assertThat(cli.run("spaces").out()).isEqualTo("a space\nusers\n");
    assertThat(cli.run("spaces", "--long").out()).matches("a space\t1\t\\d+\nusers\t3\t\\d+\n");
  }

  @Test
  void aLockedStoreIsAStoreErrorThatNamesTheHolder() {
    try (Store _ = Store.open(directory.resolve("store"))) {
      Cli.Result result = cli.run("get", "users", "alice");
      assertThat(result.exitCode()).isEqualTo(3);
      assertThat(result.err()).startsWith("varve: ").hasLineCount(1);
      assertThat(result.err()).contains(Long.toString(ProcessHandle.current().pid()));
    }
  }

  private Path file(String content) {
    try {
      return Files.writeString(directory.resolve("value"), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void negativeLimitOrWidthIsAUsageError() {
    cli.run("put", "stock", "apples", "10");
    assertThat(cli.run("scan", "stock", "--limit", "0")).isEqualTo(new Cli.Result(0, "", ""));
    Cli.Result negative = cli.run("scan", "stock", "--limit", "-1");
    assertThat(negative.exitCode()).isEqualTo(2);
    assertThat(negative.err()).contains("--limit is negative: limit=-1");
    Cli.Result width = cli.run("scan", "stock", "--width", "-5");
    assertThat(width.exitCode()).isEqualTo(2);
    assertThat(width.err()).contains("--width is negative: width=-5");
  }

  /// The stack trace of the JVM came with exit code 1, which is a negative answer.
  @Test
  void tooLittleMemoryIsAnErrorOfItsOwn() {
    var input =
        new InputStream() {
          @Override
          public int read() {
            throw new OutOfMemoryError("Java heap space");
          }
        };
    var err = new ByteArrayOutputStream();
    var stdio = new Stdio(input, new ByteArrayOutputStream(), new PrintStream(err, true, UTF_8));
    String store = directory.resolve("store").toString();
    assertThat(Main.run(stdio, "put", "users", "x", "--store", store)).isEqualTo(3);
    assertThat(err.toString(UTF_8)).startsWith("varve: out of memory: Java heap space; ");
  }
}
