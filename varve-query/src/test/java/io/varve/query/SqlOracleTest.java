package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import io.varve.json.JsonCodec;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// Asks H2 the same: random queries over random rows, with nulls, whose texts mean the same in SQL.
class SqlOracleTest {
  private static final int QUERIES = Integer.getInteger("varve.query.queries", 250);
  private static final long SEED = Long.getLong("varve.seed", 2026);
  private static final int QUERIES_PER_DATA = 50;
  private static final int ROWS_MAX = 40;

  private static final Table<Integer, OracleRow> R =
      Table.of("r", Codec.int32(), JsonCodec.of(OracleRow.class));
  private static final Table<Integer, OracleRow> Q =
      Table.of("q", Codec.int32(), JsonCodec.of(OracleRow.class));
  private static final String ALL = "select k, a, b, s, d, f from r order by k";

  @Test
  void answersAreThoseOfSql() throws SQLException {
    var random = new SplittableRandom(SEED);
    for (int done = 0; done < QUERIES; done += QUERIES_PER_DATA) {
      try (Store store = Store.inMemory();
          Connection h2 = DriverManager.getConnection("jdbc:h2:mem:")) {
        fill(store, h2, R, random);
        fill(store, h2, Q, random);
        boolean hasIndexes = done / QUERIES_PER_DATA % 2 == 1;
        List<Queries> ways = hasIndexes ? indexed(store) : List.of(scanned(store));
        var texts = new RandomQuery(random);
        for (int query = 0; query < QUERIES_PER_DATA; query++) {
          compare(ways, h2, texts.select());
        }
        for (int change = 0; change < 4; change++) {
          String text = texts.change();
          try (Statement statement = h2.createStatement()) {
            assertThat(ways.getFirst().query(text).update())
                .as("seed=%s, query=%s", SEED, text)
                .isEqualTo(statement.executeUpdate(text));
          }
          compare(ways, h2, ALL);
        }
        assertThat(store.verify().isSound()).isTrue();
      }
    }
    assertThat(answers).as("answers that were compared").isGreaterThan(2 * QUERIES);
    assertThat(covered).as("answers out of an index").isGreaterThan(QUERIES / 100);
    assertThat(hashed).as("joins by a hash table").isGreaterThan(QUERIES / 100);
  }

  private static Queries scanned(Store store) {
    var entity = Entity.of(OracleRow.class);
    return Queries.of(store).table(R, entity).table(Q, entity);
  }

  /// The same tables with indexes of what random queries ask for: all of them, each alone, and
  /// none. The last ones of each table have all that some queries need.
  private static List<Queries> indexed(Store store) {
    var entity = Entity.of(OracleRow.class);
    var r = QueryTable.of(R, entity);
    var q = QueryTable.of(Q, entity);
    List<String[]> ofR =
        List.of(
            new String[] {"a"},
            new String[] {"s", "a desc"},
            new String[] {"b desc"},
            new String[] {"d"},
            new String[] {"s", "d desc", "a", "f", "k"});
    List<String[]> ofQ =
        List.of(
            new String[] {"a", "b"},
            new String[] {"s desc"},
            new String[] {"f", "a"},
            new String[] {"k"},
            new String[] {"f desc", "a"});
    var allOfR = r;
    var allOfQ = q;
    for (int index = 0; index < ofR.size(); index++) {
      allOfR = allOfR.index(ofR.get(index));
      allOfQ = allOfQ.index(ofQ.get(index));
    }
    List<Queries> ways = new ArrayList<>();
    ways.add(Queries.of(store).table(allOfR.open(store)).table(allOfQ.open(store)));
    for (int index = 0; index < ofR.size(); index++) {
      ways.add(
          Queries.of(store)
              .table(r.index(ofR.get(index)).open(store))
              .table(q.index(ofQ.get(index)).open(store)));
    }
    ways.add(scanned(store));
    return ways;
  }

  private static void fill(
      Store store, Connection h2, Table<Integer, OracleRow> table, RandomGenerator random)
      throws SQLException {
    try (Statement statement = h2.createStatement()) {
      statement.execute(
          "create table "
              + table.name()
              + "(k int primary key, a int, b double, s varchar, d date, f boolean)");
    }
    var map = store.open(table);
    String insert = "insert into " + table.name() + " values (?, ?, ?, ?, ?, ?)";
    try (PreparedStatement statement = h2.prepareStatement(insert)) {
      for (int key = random.nextInt(ROWS_MAX); key >= 0; key -= random.nextInt(1, 3)) {
        OracleRow row = OracleRow.random(key, random);
        map.put(key, row);
        statement.setObject(1, row.k());
        statement.setObject(2, row.a());
        statement.setObject(3, row.b());
        statement.setObject(4, row.s());
        statement.setObject(5, row.d());
        statement.setObject(6, row.f());
        statement.execute();
      }
    }
  }

  private long answers;
  private long covered;
  private long hashed;

  private void compare(List<Queries> ways, Connection h2, String text) throws SQLException {
    List<List<Object>> expected = ofSql(h2, text);
    for (Queries way : ways) {
      List<List<Object>> found =
          way.query(text).list().stream()
              .map(row -> row.values().stream().map(SqlOracleTest::rounded).toList())
              .toList();
      String plan = way.query(text).explain();
      assertThat(found).as("seed=%s, query=%s, plan=%s", SEED, text, plan).isEqualTo(expected);
      answers += found.size();
      covered += plan.contains("out of the index alone") ? 1 : 0;
      hashed += plan.contains("by a hash table") ? 1 : 0;
    }
  }

  private static List<List<Object>> ofSql(Connection h2, String text) throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    try (Statement statement = h2.createStatement();
        ResultSet answers = statement.executeQuery(text)) {
      int columns = answers.getMetaData().getColumnCount();
      while (answers.next()) {
        List<Object> row = new ArrayList<>();
        for (int column = 1; column <= columns; column++) {
          boolean isDate = answers.getMetaData().getColumnType(column) == Types.DATE;
          row.add(
              rounded(
                  isDate ? answers.getObject(column, LocalDate.class) : answers.getObject(column)));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  /// Numbers of all types as equal ones, without the last digits of a mean.
  private static Object rounded(Object value) {
    return value instanceof Number number
        ? (Object) (Math.rint(number.doubleValue() * 1e6) / 1e6 + 0.0)
        : String.valueOf(value);
  }
}
