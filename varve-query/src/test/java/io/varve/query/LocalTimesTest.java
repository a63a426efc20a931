package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import io.varve.json.JsonCodec;
import java.sql.Timestamp;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The time that it is, where attributes are points in time: a date and a time without a zone are
/// of another kind, which comes after all points in time.
class LocalTimesTest {
  private record Event(
      @Key String id,
      Instant at,
      LocalDateTime seen,
      OffsetDateTime due,
      Date date,
      @Nullable Instant ended,
      List<Instant> times) {}

  private static final List<String> POINTS = List.of("at", "due", "date");

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  /// On 2026-05-01 in Berlin, and the day before in London.
  private static final Instant NOW = Instant.parse("2026-04-30T22:30:00Z");

  private static final Table<String, Event> EVENTS =
      Table.of("events", Codec.string(), JsonCodec.of(Event.class));

  private Store store;
  private Queries queries;

  @BeforeEach
  void fill() {
    store = Store.inMemory();
    Queryable<String, Event> events =
        QueryTable.of(EVENTS, Entity.of(Event.class))
            .index("at")
            .index("seen")
            .index("due")
            .index("times")
            .open(store);
    queries = Queries.of(store).table(events).withClock(Clock.fixed(NOW, BERLIN));
    put("1", NOW.minus(Duration.ofMinutes(31)));
    put("2", NOW.minus(Duration.ofMinutes(30)));
    put("3", NOW);
    put("4", NOW.plus(Duration.ofMinutes(1)));
  }

  private void put(String id, Instant at) {
    OffsetDateTime due = at.atOffset(ZoneOffset.ofHours(-5));
    LocalDateTime seen = LocalDateTime.ofInstant(at, BERLIN);
    Instant ended = Integer.parseInt(id) % 2 == 0 ? null : at;
    store.open(EVENTS).put(id, new Event(id, at, seen, due, Date.from(at), ended, List.of(at)));
  }

  @AfterEach
  void close() {
    assertThat(store.verify().isSound()).isTrue();
    store.close();
  }

  private List<String> ids(String condition, Object... parameters) {
    return queries
        .query("from events where " + condition)
        .with(parameters)
        .list(Event.class)
        .stream()
        .map(Event::id)
        .sorted()
        .toList();
  }

  @Test
  void pointsInTimeCompareWithTheTimeThatItIs() {
    for (String field : List.of("at", "due", "seen")) {
      assertThat(ids(field + " < local datetime")).as(field).containsExactly("1", "2");
      assertThat(ids(field + " = local datetime")).as(field).containsExactly("3");
      assertThat(ids("local datetime < " + field)).as(field).containsExactly("4");
      assertThat(ids(field + " in (local datetime)")).as(field).containsExactly("3");
      assertThat(ids(field + " > local datetime - ?1", Duration.ofMinutes(31)))
          .as(field)
          .containsExactly("2", "3", "4");
    }
  }

  /// They were true of all points in time, or of none.
  @Test
  void sumsAndDifferencesOfPointsCompareWithTheTimeThatItIs() {
    Duration half = Duration.ofMinutes(30);
    for (String field : List.of("at", "due", "seen")) {
      assertThat(ids(field + " + ?1 < local datetime", half)).as(field).containsExactly("1");
      assertThat(ids(field + " + ?1 >= local datetime", half))
          .as(field)
          .containsExactly("2", "3", "4");
      assertThat(ids(field + " - ?1 < local datetime", half))
          .as(field)
          .containsExactly("1", "2", "3", "4");
      assertThat(ids(field + " + ?1 between local date and local datetime", half))
          .as(field)
          .containsExactly("1", "2");
      assertThat(ids("local datetime in (" + field + ", " + field + " + ?1)", half))
          .as(field)
          .containsExactly("2", "3");
      assertThat(ids("local datetime not in (" + field + ")")).as(field).hasSize(3);
      assertThat(ids("local datetime - " + field + " > ?1", half)).as(field).containsExactly("1");
      assertThat(ids(field + " - local datetime > ?1", Duration.ZERO))
          .as(field)
          .containsExactly("4");
    }
  }

  @Test
  void dateIsTheStartOfItsDay() {
    for (String field : List.of("at", "due", "seen")) {
      assertThat(ids(field + " >= local date")).as(field).containsExactly("2", "3", "4");
      assertThat(ids(field + " between local date and local datetime"))
          .as(field)
          .containsExactly("2", "3");
      assertThat(ids("local date = " + field)).as(field).containsExactly("2");
    }
  }

  /// Where one of the values is a point in time, or meets one, all of them are.
  @Test
  void oneOfSeveralValuesIsThePointThatItIs() {
    for (String field : POINTS) {
      assertThat(ids(field + " < coalesce(ended, local datetime)")).as(field).containsExactly("2");
      assertThat(ids("coalesce(ended, local datetime) > " + field)).as(field).containsExactly("2");
      assertThat(ids("nullif(" + field + ", local datetime) is null"))
          .as(field)
          .containsExactly("3");
      assertThat(ids("nullif(local datetime, " + field + ") is null"))
          .as(field)
          .containsExactly("3");
      assertThat(ids("case local datetime when " + field + " then true else false end"))
          .as(field)
          .containsExactly("3");
    }
    for (String field : List.of("at", "due", "date", "seen")) {
      String either = "case when id = '1' then local datetime else local date end";
      assertThat(ids(field + " < " + either)).as(field).containsExactly("1");
      assertThat(ids(field + " = coalesce(?1, local datetime)", (Object) null))
          .as(field)
          .containsExactly("3");
      assertThat(ids("coalesce(null, local date) <= " + field))
          .as(field)
          .containsExactly("2", "3", "4");
      String text = field.equals("seen") ? "2026-04-30T23:59:30" : "2026-04-30T21:59:30";
      assertThat(ids(field + " < coalesce(?1, '" + text + "')", (Object) null))
          .as(field)
          .containsExactly("1");
    }
  }

  @Test
  void valueBetweenTwoKindsOfTimesIsComparedWithEach() {
    for (String field : POINTS) {
      assertThat(ids("local datetime between seen and " + field)).as(field).containsExactly("3");
      assertThat(ids("local datetime not between seen and " + field))
          .as(field)
          .containsExactly("1", "2", "4");
      assertThat(ids("local datetime between " + field + " and seen + ?1", Duration.ofMinutes(30)))
          .as(field)
          .containsExactly("2", "3");
      assertThat(ids("local datetime in (seen, " + field + ")")).as(field).containsExactly("3");
      assertThat(ids("seen in (" + field + ", local datetime)")).as(field).containsExactly("3");
      assertThat(ids("?1 between " + field + " and local datetime", NOW.minusSeconds(60)))
          .as(field)
          .containsExactly("1", "2");
      assertThat(ids("?1 between local date and " + field, NOW.plusSeconds(60)))
          .as(field)
          .containsExactly("4");
      assertThat(ids("'2026-04-30T22:31Z' in (" + field + ", local datetime)"))
          .as(field)
          .containsExactly("4");
    }
    assertThat(ids("?1 between seen and local datetime", LocalDateTime.ofInstant(NOW, BERLIN)))
        .containsExactly("1", "2", "3");
  }

  @Test
  void differenceIsOfTwoTimesOfOneKind() {
    for (String field : List.of("at", "due", "date", "seen")) {
      Query query = queries.query("select local datetime - " + field + " from events order by id");
      assertThat(query.list(Duration.class))
          .as(field)
          .containsExactly(
              Duration.ofMinutes(31),
              Duration.ofMinutes(30),
              Duration.ZERO,
              Duration.ofMinutes(-1));
      assertThat(ids(field + " + (local datetime - seen) = local datetime")).as(field).hasSize(4);
      assertThat(ids(field + " - (seen - local datetime) = local datetime")).as(field).hasSize(4);
    }
  }

  @Test
  void elementsAreTimesAsAttributesAre() {
    assertThat(ids("exists (from times where this < local datetime)")).containsExactly("1", "2");
    assertThat(ids("exists (from times t where t >= '2026-04-30T22:30')"))
        .containsExactly("3", "4");
    assertThat(ids("local datetime member of times")).containsExactly("3");
  }

  /// No zone makes a point in time of a date or the other way round: it was true of all rows.
  @Test
  void pointInTimeThatMeetsDateIsRefused() {
    for (String condition : List.of("seen < ?1", "?1 > local datetime", "local date = ?1")) {
      assertThatThrownBy(() -> ids(condition, NOW))
          .as(condition)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("name=1")
          .hasMessageContaining("a point in time is no LocalDate");
    }
  }

  @Test
  void pointInTimeIsSetToOneOfSeveralValues() {
    String set =
        "update events set at = coalesce(ended, local datetime),"
            + " due = case when id = '1' then local date else local datetime end";
    queries.query(set).update();
    assertThat(ids("at = ?1", NOW)).containsExactly("2", "3", "4");
    assertThat(ids("due = '2026-04-30T22:00Z'")).containsExactly("1");
    assertThat(ids("due = ?1", NOW)).containsExactly("2", "3", "4");
  }

  @Test
  void pointInTimeIsSetToTheTimeThatItIs() {
    queries.query("update events set at = local datetime, seen = local date").update();
    assertThat(ids("at = ?1 and seen = '2026-05-01'", NOW)).containsExactly("1", "2", "3", "4");
  }

  private record Stamped(@Key String id, @Nullable Timestamp at) {}

  /// Each is a `Date`, and its class has its own method to make one.
  @Test
  void timestampsOfSqlCompareAndAreSet() {
    Table<String, Stamped> table = Table.of("stamped", Codec.string(), JsonCodec.of(Stamped.class));
    Queryable<String, Stamped> stamped =
        QueryTable.of(table, Entity.of(Stamped.class)).index("at").open(store);
    Instant before = NOW.minusMillis(1);
    stamped.map().put("1", new Stamped("1", Timestamp.from(before)));
    stamped.map().put("2", new Stamped("2", null));
    Queries asked = Queries.of(store).table(stamped).withClock(Clock.fixed(NOW, BERLIN));
    Query past = asked.query("select id from stamped where coalesce(at, ?1) < local datetime");
    assertThat(past.with(NOW).list(String.class)).containsExactly("1");
    asked.query("update stamped set at = coalesce(at, local datetime)").update();
    assertThat(stamped.map().get("1")).isEqualTo(new Stamped("1", Timestamp.from(before)));
    assertThat(stamped.map().get("2")).isEqualTo(new Stamped("2", Timestamp.from(NOW)));
  }
}
