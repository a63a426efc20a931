package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import io.varve.json.JsonCodec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The time that it is, where attributes are points in time: a date and a time without a zone are
/// of another kind, which comes after all points in time.
class LocalTimesTest {
  private record Event(@Key String id, Instant at, LocalDateTime seen, OffsetDateTime due) {}

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
            .open(store);
    queries = Queries.of(store).table(events).withClock(Clock.fixed(NOW, BERLIN));
    put("1", NOW.minus(Duration.ofMinutes(31)));
    put("2", NOW.minus(Duration.ofMinutes(30)));
    put("3", NOW);
    put("4", NOW.plus(Duration.ofMinutes(1)));
  }

  private void put(String id, Instant at) {
    OffsetDateTime due = at.atOffset(ZoneOffset.ofHours(-5));
    store.open(EVENTS).put(id, new Event(id, at, LocalDateTime.ofInstant(at, BERLIN), due));
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

  @Test
  void pointInTimeIsSetToTheTimeThatItIs() {
    queries.query("update events set at = local datetime, seen = local date").update();
    assertThat(ids("at = ?1 and seen = '2026-05-01'", NOW)).containsExactly("1", "2", "3", "4");
  }
}
