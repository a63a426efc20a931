package io.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/// Loading what `SCRIPT` of H2 writes for a database with columns of all its types.
@Timeout(60)
final class LoadH2TypesTest {
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
          List.of("TIME WITH TIME ZONE", "TIME WITH TIME ZONE '10:11:12+02:00'", "\"10:11:12+02\""),
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

  @TempDir Path directory;
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
