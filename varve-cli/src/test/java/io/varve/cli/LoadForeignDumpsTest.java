package io.varve.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/// Loading what other programs have written: Redis 7.0.15, SQLite and H2 2.4.240.
final class LoadForeignDumpsTest {
  private static final Path DUMPS = Path.of("src/test/resources/dumps");
  private static final Path RDB = DUMPS.resolve("redis-7.0.rdb");

  @TempDir Path directory;

  private Cli cli() {
    return new Cli(directory.resolve("store"));
  }

  private String scan(String space) {
    return cli().run("scan", space, "--width", "0").out();
  }

  @Test
  void keysOfRedisAreEntries() {
    Cli.Result result = cli().run("load", RDB.toString());
    assertThat(result.err()).contains("1 keys had a time to live, and have none now");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).startsWith("loaded 12 entries, ");
    assertThat(cli().run("get", "db0", "greeting").out()).isEqualTo("hello");
    assertThat(cli().run("get", "db0", "count").out()).isEqualTo("42");
    assertThat(cli().run("get", "db0", "binary", "-o", "hex").out())
        .isEqualToIgnoringCase("00ff01\n");
    assertThat(cli().run("get", "db0", "list").out()).isEqualTo("[\"a\",\"b\",\"c\"]");
    assertThat(cli().run("get", "db0", "ints").out()).isEqualTo("[\"1\",\"2\",\"3\"]");
    assertThat(cli().run("get", "db0", "names").out()).isEqualTo("[\"x\",\"y\"]");
    assertThat(cli().run("get", "db0", "h").out()).isEqualTo("{\"f1\":\"v1\",\"f2\":\"v2\"}");
    assertThat(cli().run("get", "db0", "z").out())
        .isEqualTo("[{\"member\":\"low\",\"score\":1.5},{\"member\":\"high\",\"score\":2.0}]");
    assertThat(cli().run("get", "db0", "s").out())
        .isEqualTo("[{\"id\":\"1-1\",\"fields\":{\"k\":\"v\"}}]");
    assertThat(cli().run("get", "db0", "big").out()).hasSize(20_000);
    assertThat(cli().run("get", "db0", "gone").exitCode()).as("expired").isEqualTo(1);
    assertThat(cli().run("get", "db3", "in3").out()).isEqualTo("three");
    assertThat(cli().run("verify").exitCode()).isZero();
  }

  /// The library ends silently where a file does, and so would a load that trusts it.
  @Test
  void aFileOfRedisThatEndsEarlyIsAnError() throws IOException {
    byte[] whole = Files.readAllBytes(RDB);
    for (int length : new int[] {0, 5, 9, whole.length / 2, whole.length - 9}) {
      Path part = directory.resolve("part.rdb");
      Files.write(part, Arrays.copyOf(whole, length));
      Cli.Result result = cli().run("load", part.toString());
      assertThat(result.exitCode()).as("length %s", length).isEqualTo(2);
      assertThat(result.err()).contains("part.rdb: no RDB file that can be read");
    }
  }

  @Test
  void tablesOfSqliteAreSpaces() {
    Cli.Result result = cli().run("load", DUMPS.resolve("sqlite.sql").toString());
    assertThat(result.warnings()).isEmpty();
    assertThat(result.out()).startsWith("loaded 5 entries, ");
    assertThat(cli().run("get", "people", "1").out())
        .isEqualTo(
            "{\"id\":1,\"name\":\"Ann O'Neil\",\"score\":1.5,\"photo\":\"AP8=\",\"note\":null}");
    assertThat(cli().run("get", "people", "2").out()).contains("\"two\\nlines; not an end\"");
    assertThat(cli().run("get", "visits", "[1,\"2026-01-02\"]").out())
        .isEqualTo("{\"person\":1,\"day\":\"2026-01-02\"}");
    assertThat(cli().run("get", "plain", "1").out()).isEqualTo("{\"a\":\"x\",\"b\":1}");
    assertThat(cli().run("verify").exitCode()).isZero();
  }

  @Test
  void tablesOfH2AreSpaces() throws IOException {
    Cli.Result result = cli().run("load", DUMPS.resolve("h2.sql").toString());
    assertThat(result.warnings()).isEmpty();
    assertThat(result.out()).startsWith("loaded 4 entries, ");
    assertThat(cli().run("get", "PEOPLE", "1").out())
        .isEqualTo(
            "{\"ID\":1,\"NAME\":\"Ann O'Neil\",\"SCORE\":1.5,\"BORN\":\"1990-01-02\","
                + "\"PHOTO\":\"AP8=\",\"ACTIVE\":true,\"TAGS\":[\"a\",\"b\"]}");
    assertThat(cli().run("get", "PEOPLE", "2").out()).contains("\"é; x\"", "\"TAGS\":null");
    assertThat(scan("VISITS")).startsWith("[1,\"2026-01-01 10:00:00\"]\t{");
    assertThat(scan("OTHER.PLAIN")).isEqualTo("1\t{\"A\":7,\"B\":\"b\"}\n");
    try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      assertThat(all.filter(path -> path.getFileName().toString().startsWith("varve-load-")))
          .noneMatch(LoadForeignDumpsTest::isLeft);
    }
  }

  /// Whether a load of this process, or one that has ended, left its directory. Other processes
  /// load here as well, and hold a lock while they do.
  private static boolean isLeft(Path directory) {
    try (FileChannel lock = FileChannel.open(directory.resolve("lock"), StandardOpenOption.WRITE)) {
      return lock.tryLock() != null;
    } catch (OverlappingFileLockException _) {
      return true;
    } catch (IOException _) {
      return false; // It is being made, or deleted.
    }
  }

  @Test
  void oneTableIsChosen() {
    String dump = DUMPS.resolve("sqlite.sql").toString();
    Cli.Result several = cli().run("load", dump, "--space", "all");
    assertThat(several.exitCode()).isEqualTo(2);
    assertThat(several.err()).contains("people, plain, visits", "--table");
    Cli.Result none = cli().run("load", dump, "--table", "nobody");
    assertThat(none.err()).contains("no table nobody is in it");
    cli().run("load", dump, "--table", "people", "--space", "p", "--key", "name", "--value", "id");
    assertThat(cli().run("get", "p", "Ann O'Neil").out()).isEqualTo("1");
    Cli.Result rest = cli().run("load", dump, "--table", "visits", "--skip", "1");
    assertThat(rest.out()).startsWith("loaded 1 entr");
  }

  /// A dump is a program: what is not about tables is not run, and rows cannot read files.
  @Test
  void dumpsOfOthersRunNothing() throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "secret");
    Path dump = directory.resolve("hostile.sql");
    String table = "CREATE TABLE T(ID INT PRIMARY KEY, V VARCHAR);\n";
    Files.writeString(
        dump,
        "-- H2 2.4.240;\n"
            + "CREATE ALIAS EVIL AS 'void run() { System.exit(7); }';\nCALL EVIL();\n"
            + table
            + "INSERT INTO T VALUES(1, 'one');\nDROP TABLE T;\n",
        UTF_8);
    assertThat(cli().run("load", dump.toString()).out()).startsWith("loaded 1 ");
    for (String read : new String[] {"FILE_READ('%s', NULL)", "(SELECT * FROM CSVREAD('%s'))"}) {
      Files.writeString(
          dump,
          "-- H2 2.4.240;\n"
              + table
              + "INSERT INTO T VALUES(1, "
              + read.formatted(secret)
              + ");\n");
      Cli.Result result = cli().run("load", dump.toString());
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.err()).contains("statement 2 is refused by the database", "rights");
    }
    Files.writeString(dump, "SELECT 1;\n");
    assertThat(cli().run("load", dump.toString()).err()).contains("name it by --format");
  }

  private static final String SQLITE_START = "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n";

  private Cli.Result loadSqlite(String statements) throws IOException {
    Path dump = directory.resolve("dump.sql");
    Files.writeString(dump, SQLITE_START + statements, UTF_8);
    return cli().run("load", dump.toString());
  }

  /// A quote in a name in brackets began a text by the rules of H2, and the rest was passed over.
  @Test
  void namesOfSqliteAreQuotedInAnyOfItsWays() throws IOException {
    Cli.Result result =
        loadSqlite(
            "CREATE TABLE a([it's;] int, \"b\"\"-- c\" int, `d;` int /* ; ' */); -- it's\n"
                + "INSERT INTO a VALUES(1,2,3-1);\n"
                + "CREATE TABLE b(id integer primary key, v json);\n"
                + "INSERT INTO b VALUES(1,X'0102');\n"
                + "COMMIT;\n");
    assertThat(result.warnings()).isEmpty();
    assertThat(result.out()).startsWith("loaded 2 entries, ");
    assertThat(cli().run("get", "a", "1").out())
        .isEqualTo("{\"it's;\":1,\"b\\\"-- c\":2,\"d;\":2}");
    assertThat(cli().run("get", "b", "1").out()).isEqualTo("{\"id\":1,\"v\":\"AQI=\"}");
  }

  /// Full text indexes, and figures for the planner, are rows of SQLite's own tables in a dump.
  @Test
  void rowsOfTheTablesOfSqliteItselfArePassedOver() throws IOException {
    Cli.Result result =
        loadSqlite(
            "CREATE TABLE a(id integer primary key);\nINSERT INTO a VALUES(7);\n"
                + "PRAGMA writable_schema=ON;\n"
                + "INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','f','f',"
                + "0,'CREATE VIRTUAL TABLE f using fts5(t)');\n"
                + "INSERT INTO sqlite_stat1 VALUES('a',NULL,'1');\nCOMMIT;\n");
    assertThat(result.warnings()).isEmpty();
    assertThat(result.out()).startsWith("loaded 1 entries, ");
  }

  @Test
  void aDumpOfSqliteThatIsNotWholeIsAnError() throws IOException {
    String rows = "CREATE TABLE a(id integer primary key, t);\nINSERT INTO a VALUES(7,'x');\n";
    for (String end : new String[] {"", "ROLLBACK; -- due to errors\n"}) {
      Cli.Result cut = loadSqlite(rows + end);
      assertThat(cut.exitCode()).isEqualTo(2);
      assertThat(cut.err()).contains("dump.sql: the dump does not end with its commit");
    }
    Cli.Result inText = loadSqlite(rows + "INSERT INTO a VALUES(8,'y");
    assertThat(inText.exitCode()).isEqualTo(2);
    assertThat(inText.err()).contains("dump.sql: the dump ends within ''");
  }

  /// All such rows would be one entry.
  @Test
  void aKeyThatIsNullIsAnError() throws IOException {
    Cli.Result result =
        loadSqlite(
            "CREATE TABLE a(k text primary key, v);\nINSERT INTO a VALUES(NULL,1);\n"
                + "INSERT INTO a VALUES(NULL,2);\nCOMMIT;\n");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("table a: a row has null in its key: column=k");
  }

  /// The library meets it with an assertion, which ended its thread alone: the load then hung.
  @Test
  @Timeout(60)
  void aTypeOfRedisThatIsNotKnownIsAnError() throws IOException {
    Path file = directory.resolve("new.rdb");
    Files.write(file, "REDIS0011\u00fe\0\u0063\1k\1v\u00ff\0\0\0\0\0\0\0\0".getBytes(ISO_8859_1));
    Cli.Result result = cli().run("load", file.toString());
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("new.rdb: no RDB file that can be read", "99");
  }

  /// What a flipped bit changed was loaded, without a message.
  @Test
  void aFileOfRedisWithAWrongChecksumIsAnError() throws IOException {
    byte[] bytes = Files.readAllBytes(RDB);
    int hello = new String(bytes, ISO_8859_1).indexOf("hello");
    bytes[hello] = 'j';
    Path file = Files.write(directory.resolve("wrong.rdb"), bytes);
    Cli.Result result = cli().run("load", file.toString());
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .contains("wrong.rdb", "its checksum is wrong: written=0x58ca0f2597c93f88");
    Arrays.fill(bytes, bytes.length - Long.BYTES, bytes.length, (byte) 0);
    Files.write(file, bytes);
    assertThat(cli().run("load", file.toString()).exitCode()).as("none was made").isZero();
    byte[] more = Arrays.copyOf(Files.readAllBytes(RDB), bytes.length + 40);
    Files.write(file, more);
    assertThat(cli().run("load", file.toString()).exitCode()).as("a mark follows").isZero();
  }

  /// What `SCRIPT` of H2 writes for a database with columns of all its types. It is in this class
  /// since a test above wants no other load under way, and classes run next to each other.
  @Nested
  @Timeout(60)
  final class TypesOfH2 {
    /// A type, a value of it in SQL, and that value in the JSON of its row.
    private static final List<List<String>> TYPES =
        List.of(
            List.of("CHAR(3)", "'abc'", "\"abc\""),
            List.of("VARCHAR", "'v'", "\"v\""),
            List.of("VARCHAR_IGNORECASE", "'Vi'", "\"Vi\""),
            List.of("CLOB", "'text'", "\"text\""),
            List.of("BINARY(3)", "X'00ff01'", "\"AP8B\""),
            List.of("VARBINARY", "X'ff'", "\"/w==\""),
            List.of("BLOB", "X'00ff80fe'", "\"AP+A/g==\""),
            List.of("JAVA_OBJECT", "X'aced0005740001'", "\"rO0ABXQAAQ==\""), // not of an object
            List.of("BOOLEAN", "TRUE", "true"),
            List.of("TINYINT", "-128", "-128"),
            List.of("SMALLINT", "-32768", "-32768"),
            List.of("INT", "2147483647", "2147483647"),
            List.of("BIGINT", "9223372036854775807", "9223372036854775807"),
            List.of(
                "NUMERIC(30, 5)",
                "1234567890123456789012345.12345",
                "1234567890123456789012345.12345"),
            List.of("REAL", "1.1", "1.1"),
            List.of("REAL", "'Infinity'", "\"Infinity\""),
            List.of("DOUBLE PRECISION", "0.1", "0.1"),
            List.of("DOUBLE PRECISION", "'NaN'", "\"NaN\""),
            List.of("DECFLOAT(34)", "1.23E+100", "1.23E+100"),
            List.of("DECFLOAT(34)", "'-Infinity'", "\"-Infinity\""),
            List.of("DATE", "DATE '-0044-03-15'", "\"-0044-03-15\""),
            List.of("TIME(9)", "TIME '10:11:12.123456789'", "\"10:11:12.123456789\""),
            List.of(
                "TIME WITH TIME ZONE", "TIME WITH TIME ZONE '10:11:12+02:00'", "\"10:11:12+02\""),
            List.of(
                "TIMESTAMP(9)",
                "TIMESTAMP '1500-02-28 10:00:00.123456789'",
                "\"1500-02-28 10:00:00.123456789\""),
            List.of(
                "TIMESTAMP WITH TIME ZONE",
                "TIMESTAMP WITH TIME ZONE '2026-01-01 10:00:00.5+05:30'",
                "\"2026-01-01 10:00:00.5+05:30\""),
            List.of(
                "INTERVAL YEAR TO MONTH",
                "INTERVAL '1-2' YEAR TO MONTH",
                "\"INTERVAL '1-2' YEAR TO MONTH\""),
            List.of("ENUM('a', 'b')", "'b'", "\"b\""),
            List.of("GEOMETRY", "'SRID=4326;POINT (1 2)'", "\"SRID=4326;POINT (1 2)\""),
            List.of(
                "JSON",
                "JSON '{\"a\":[1,0.12345678901234567890123,null]}'",
                "{\"a\":[1,0.12345678901234567890123,null]}"),
            List.of(
                "UUID",
                "UUID '00000000-0000-0000-0000-000000000001'",
                "\"00000000-0000-0000-0000-000000000001\""),
            List.of("INT ARRAY", "ARRAY[1, NULL]", "[1,null]"),
            List.of("INT ARRAY ARRAY", "ARRAY[ARRAY[1, 2], ARRAY[], NULL]", "[[1,2],[],null]"),
            List.of("BLOB ARRAY", "ARRAY[CAST(X'00ff' AS BLOB)]", "[\"AP8=\"]"),
            List.of("CLOB ARRAY", "ARRAY[CAST('text' AS CLOB)]", "[\"text\"]"),
            List.of("DATE ARRAY", "ARRAY[DATE '-0044-03-15']", "[\"-0044-03-15\"]"),
            List.of("JSON ARRAY", "ARRAY[JSON '{\"x\":1}']", "[{\"x\":1}]"),
            List.of("ROW(X INT, Y VARCHAR ARRAY)", "ROW(1, ARRAY['y'])", "{\"X\":1,\"Y\":[\"y\"]}"),
            List.of(
                "ROW(X INT, Y BLOB) ARRAY", "ARRAY[ROW(1, X'ff')]", "[{\"X\":1,\"Y\":\"/w==\"}]"));

    private Connection database;

    @BeforeEach
    void make() throws SQLException {
      database = DriverManager.getConnection("jdbc:h2:mem:");
    }

    @AfterEach
    void drop() throws SQLException {
      database.close();
    }

    private void execute(String sql) throws SQLException {
      try (Statement statement = database.createStatement()) {
        statement.execute(sql);
      }
    }

    private Cli load() throws SQLException {
      Path dump = directory.resolve("h2.sql");
      execute("SCRIPT TO '" + dump + "'");
      Cli cli = new Cli(directory.resolve("store"));
      Cli.Result result = cli.run("load", dump.toString());
      assertThat(result.exitCode()).as(result.err()).isZero();
      return cli;
    }

    @Test
    void valuesOfAllTypesAreInTheirRows() throws SQLException {
      List<String> columns = new ArrayList<>();
      List<String> values = new ArrayList<>();
      List<String> json = new ArrayList<>();
      for (List<String> type : TYPES) {
        String name = "C" + columns.size();
        columns.add(name + " " + type.get(0));
        values.add(type.get(1));
        json.add("\"" + name + "\":" + type.get(2));
      }
      execute(
          "CREATE TABLE T(ID INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
              + String.join(", ", columns)
              + ", SUM BIGINT GENERATED ALWAYS AS (ID + 1))");
      execute("INSERT INTO T VALUES(DEFAULT, " + String.join(", ", values) + ", DEFAULT)");
      execute("INSERT INTO T(ID) OVERRIDING SYSTEM VALUE VALUES(2)");
      Cli cli = load();
      assertThat(cli.run("get", "T", "1").out())
          .isEqualTo("{\"ID\":1," + String.join(",", json) + ",\"SUM\":2}");
      assertThat(cli.run("get", "T", "2").out())
          .startsWith("{\"ID\":2,\"C0\":null,")
          .endsWith("\"C" + (TYPES.size() - 1) + "\":null,\"SUM\":3}");
      assertThat(cli.run("verify").exitCode()).isZero();
    }

    /// A dump has long ones in parts, which another table holds and a function joins.
    @Test
    void longTextsAndBytesAreWhole() throws SQLException {
      execute("CREATE TABLE L(K INT PRIMARY KEY, B BLOB, C CLOB)");
      List<byte[]> bytes = new ArrayList<>();
      List<String> texts = new ArrayList<>();
      try (PreparedStatement insert = database.prepareStatement("INSERT INTO L VALUES(?, ?, ?)")) {
        for (int length : new int[] {0, 4_095, 4_097, 300_000}) {
          byte[] random = new byte[length];
          new Random(length).nextBytes(random);
          bytes.add(random);
          texts.add("é😀;'\n".repeat(length / 6)); // some parts end within a surrogate pair
          insert.setInt(1, texts.size());
          insert.setBytes(2, random);
          insert.setString(3, texts.getLast());
          insert.execute();
        }
      }
      Cli cli = load();
      assertThat(cli.run("spaces").out()).contains("L").doesNotContain("SYSTEM");
      for (int k = 1; k <= texts.size(); k++) {
        Map<?, ?> row =
            new JsonMapper().readValue(cli.run("get", "L", String.valueOf(k)).out(), Map.class);
        assertThat(row.get("B")).isEqualTo(Base64.getEncoder().encodeToString(bytes.get(k - 1)));
        assertThat(row.get("C")).isEqualTo(texts.get(k - 1));
      }
    }

    @Test
    void oneColumnOfBytesIsTheValueAsItIs() throws SQLException {
      execute("CREATE TABLE L(K INT PRIMARY KEY, B BLOB)");
      execute("INSERT INTO L VALUES(1, X'" + "00ff80".repeat(3_000) + "')");
      Path dump = directory.resolve("h2.sql");
      execute("SCRIPT TO '" + dump + "'");
      Cli cli = new Cli(directory.resolve("store"));
      cli.run("load", dump.toString(), "--table", "L", "--space", "l", "--value", "B");
      assertThat(cli.run("get", "l", "1", "-o", "hex").out().strip())
          .isEqualToIgnoringCase("00ff80".repeat(3_000));
    }
  }
}
