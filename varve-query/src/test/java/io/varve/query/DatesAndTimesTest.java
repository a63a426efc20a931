package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import io.varve.json.JsonCodec;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A date that meets a date and time is the start of its day, as H2 has it. Each was of a kind of
/// its own, so that every date was less than every date and time.
class DatesAndTimesTest {
  private record Visit(
      @Key int id, @Nullable LocalDate day, @Nullable LocalDateTime seen, @Nullable Instant paid) {}

  private static final Table<Integer, Visit> VISITS =
      Table.of("visits", Codec.int32(), JsonCodec.of(Visit.class));
  private static final LocalDate TODAY = LocalDate.parse("2026-05-01");

  private Store store;
  private Queries queries;

  @BeforeEach
  void fill() {
    store = Store.inMemory();
    Queryable<Integer, Visit> visits =
        QueryTable.of(VISITS, Entity.of(Visit.class)).index("day").index("seen").open(store);
    Clock noon = Clock.fixed(Instant.parse("2026-05-01T12:00:00Z"), ZoneOffset.UTC);
    queries = Queries.of(store).table(visits).withClock(noon);
    int id = 0;
    for (int day = -1; day <= 1; day++) {
      for (int hour : new int[] {0, 12, 24}) {
        put(id++, TODAY.plusDays(day), TODAY.atStartOfDay().plusHours(hour));
      }
    }
    put(id++, null, TODAY.atStartOfDay());
    put(id, TODAY, null);
  }

  private void put(int id, @Nullable LocalDate day, @Nullable LocalDateTime seen) {
    store.open(VISITS).put(id, new Visit(id, day, seen, Instant.EPOCH));
  }

  @AfterEach
  void close() {
    assertThat(store.verify().isSound()).isTrue();
    store.close();
  }

  private List<Integer> ids(String condition, Object... parameters) {
    String text = "select id from visits where " + condition + " order by id";
    return queries.query(text).with(parameters).list(Integer.class);
  }

  @Test
  void conditionsMeanWhatTheyMeanInSql() throws SQLException {
    try (Connection h2 = DriverManager.getConnection("jdbc:h2:mem:;NON_KEYWORDS=DAY");
        Statement sql = h2.createStatement()) {
      fill(sql);
      for (String condition :
          List.of(
              "day < seen",
              "day <= seen",
              "day = seen",
              "day <> seen",
              "seen > day",
              "seen between day and day",
              "day between seen and seen",
              "day between '2026-05-01' and seen",
              "day in (seen)",
              "seen in (day, seen)",
              "day in (seen, day)",
              "coalesce(day, seen) = seen",
              "coalesce(seen, day) = day",
              "nullif(day, seen) is null",
              "case when id < 4 then day else seen end = seen")) {
        assertThat(ids(condition)).as(condition).isEqualTo(answer(sql, condition));
      }
    }
  }

  private void fill(Statement sql) throws SQLException {
    sql.execute("create table visits(id int primary key, day date, seen timestamp)");
    for (Visit visit : store.open(VISITS).values()) {
      sql.execute(
          "insert into visits values (%d, %s, %s)"
              .formatted(visit.id(), quoted(visit.day()), quoted(visit.seen())));
    }
  }

  private static String quoted(@Nullable Object value) {
    return value == null ? "null" : "'" + value + "'";
  }

  private static List<Integer> answer(Statement sql, String condition) throws SQLException {
    return numbers(sql, "select id from visits where " + condition + " order by id").stream()
        .map(Math::toIntExact)
        .toList();
  }

  @Test
  void dateComparesWithTheTimeThatItIs() {
    assertThat(ids("day < local datetime")).containsExactly(0, 1, 2, 3, 4, 5, 10);
    assertThat(ids("day >= local datetime")).containsExactly(6, 7, 8);
    assertThat(ids("local datetime > day and seen = day")).containsExactly(3);
    assertThat(ids("day between local date and local datetime")).containsExactly(3, 4, 5, 10);
    assertThat(ids("day between ?1 and local datetime", TODAY)).containsExactly(3, 4, 5, 10);
    assertThat(ids("day in (local date, local datetime)")).containsExactly(3, 4, 5, 10);
    assertThat(ids("day = ?1", TODAY)).containsExactly(3, 4, 5, 10);
  }

  @Test
  void parameterMeetsBothKinds() {
    LocalDateTime midnight = TODAY.atStartOfDay();
    assertThat(ids("?1 in (day, seen)", midnight)).containsExactly(0, 3, 4, 5, 6, 9, 10);
    assertThat(ids("?1 between day and seen", midnight.plusHours(1))).containsExactly(1, 2, 4, 5);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ids("day < ?1", midnight))
        .withMessage(
            "a parameter does not fit: name=1; a date and time is no LocalDate: set the date that"
                + " is meant");
  }

  @Test
  void joinsAndGroupsMeanWhatTheyMeanInSql() throws SQLException {
    try (Connection h2 = DriverManager.getConnection("jdbc:h2:mem:;NON_KEYWORDS=DAY");
        Statement sql = h2.createStatement()) {
      fill(sql);
      for (String text :
          List.of(
              "select v.id from visits v join visits w on v.day = w.seen",
              "select v.id from visits v join visits w on w.day = v.seen",
              "select w.id from visits v join visits w on v.seen = w.day and v.id = 4",
              "select w.id from visits v join visits w on v.day < w.seen",
              "select count(id) from visits group by day having day < max(seen)",
              "select count(id) from visits group by seen having min(day) = seen",
              "select min(id) from visits group by coalesce(day, seen)")) {
        assertThat(queries.query(text).list(Number.class))
            .extracting(Number::longValue)
            .as(text)
            .containsExactlyInAnyOrderElementsOf(numbers(sql, text));
      }
    }
  }

  private static List<Long> numbers(Statement sql, String text) throws SQLException {
    List<Long> numbers = new ArrayList<>();
    try (ResultSet rows = sql.executeQuery(text)) {
      while (rows.next()) {
        numbers.add(rows.getLong(1));
      }
    }
    return numbers;
  }

  /// A date has no zone, so that a point in time is neither before nor after it. Each date was
  /// greater than all points.
  @Test
  void dateMeetsNoPointInTime() {
    for (String condition :
        List.of(
            "day < paid",
            "seen >= paid",
            "paid = day",
            "paid between day and seen",
            "day between seen and paid",
            "day between paid and seen",
            "day in (paid)",
            "day in (seen, paid)",
            "paid not in (day, seen)",
            "coalesce(day, seen) > paid",
            "id = 1 or not (seen <> paid)")) {
      assertThatThrownBy(() -> ids(condition))
          .as(condition)
          .isInstanceOf(QueryException.class)
          .hasMessageContaining(
              "a point in time does not compare with a date, which has no zone: line=1");
    }
    assertThat(ids("paid < local date and seen in (day, paid)")).containsExactly(3, 8);
  }

  /// An update that sets a date to a date and time names the attribute: no parameter is at fault.
  @Test
  void dateIsSetToNoTime() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> queries.query("update visits set day = seen where id = 1").update())
        .withMessageContaining("attribute=day, expected=java.time.LocalDate");
    queries.query("update visits set seen = day where id = 1").update();
    assertThat(ids("id = 1 and day = seen")).containsExactly(1);
  }
}
