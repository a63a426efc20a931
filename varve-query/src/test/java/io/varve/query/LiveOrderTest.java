package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Commit;
import io.varve.Store;
import io.varve.Table;
import io.varve.Visibility;
import io.varve.query.LiveQuery.Answer;
import io.varve.query.LiveQuery.Change;
import io.varve.query.LiveQuery.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A live query with an order and a limit, typed and as text, is compared with every state that the
/// log of changes leads to.
class LiveOrderTest {
  private record Player(String team, Integer score, String text) {}

  private static final Attribute<Player, String> TEAM =
      Attribute.of("team", String.class, Player::team);
  private static final Attribute<Player, Integer> SCORE =
      Attribute.of("score", Integer.class, Player::score);

  private static final QueryTable<Long, Player> PLAYERS =
      QueryTable.of(
              Table.of(
                  "players",
                  Codec.int64(),
                  Codec.of(
                      player ->
                          Codec.string()
                              .encode(player.team() + "|" + player.score() + "|" + player.text()),
                      bytes -> {
                        String[] parts = Codec.string().decode(bytes).split("\\|", -1);
                        return new Player(parts[0], Integer.valueOf(parts[1]), parts[2]);
                      })),
              Entity.of("player", Player.class, List.<Attribute<Player, ?>>of(TEAM, SCORE)))
          .index("team", "score desc");

  private static Player player(String team, int score) {
    return new Player(team, score, "");
  }

  @Test
  void aRowThatLeavesHasASuccessorInTheSameStep() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Player> players = PLAYERS.open(store);
      for (long key = 1; key <= 100; key++) {
        players.map().put(key, player("red", (int) key));
      }
      Found<Long, Player> best = players.where(TEAM.eq("red")).orderBy(SCORE.desc()).limit(2);
      try (LiveQuery<Long, Player> live = best.live()) {
        assertThat(live.start().entries())
            .containsExactly(
                Map.entry(100L, player("red", 100)), Map.entry(99L, player("red", 99)));
        players.map().put(1L, player("red", 7)); // not among the first
        players.map().remove(100L);
        assertThat(changes(live))
            .containsExactly(
                new Change<>(100L, player("red", 100), null),
                new Change<>(98L, null, player("red", 98)));
        players.map().put(1L, player("red", 1000));
        assertThat(changes(live))
            .containsExactly(
                new Change<>(98L, player("red", 98), null),
                new Change<>(1L, null, player("red", 1000)));
        players.where(SCORE.between(50, 99)).delete(); // more than were known to follow
        assertThat(changes(live))
            .containsExactly(
                new Change<>(99L, player("red", 99), null),
                new Change<>(49L, null, player("red", 49)));
        assertThat(live.next(Duration.ZERO)).isNull();
      }
    }
  }

  private static List<Change<Long, Player>> changes(LiveQuery<Long, Player> live) {
    Step<Long, Player> step = live.next(Duration.ZERO);
    assertThat(step).isNotNull();
    return step.changes();
  }

  @Test
  void aTextNamesItsColumnsAlone() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Player> players = PLAYERS.open(store);
      players.map().put(1L, player("red", 5));
      Query query =
          Queries.of(store)
              .table(players)
              .query("select score * 2 as twice from players where team = :t order by score")
              .set("t", "red");
      try (LiveQuery<Object, Row> live = query.live()) {
        Answer<Object, Row> first = live.start();
        assertThat(first.entries()).hasSize(1);
        assertThat(first.entries().getFirst().getValue().asMap()).isEqualTo(Map.of("twice", 10L));
        players.map().put(1L, new Player("red", 5, "no column has it"));
        assertThat(live.next(Duration.ZERO)).isNull();
        players.map().put(1L, player("red", 6));
        Step<Object, Row> step = live.next(Duration.ZERO);
        assertThat(step).isNotNull();
        Change<Object, Row> change = step.changes().getFirst();
        assertThat(change.key()).isEqualTo(1L);
        assertThat(change.before()).isEqualTo(first.entries().getFirst().getValue());
        assertThat(change.after()).isNotNull();
        assertThat(change.after().get("twice")).isEqualTo(12L);
        players.map().put(1L, player("blue", 6));
        assertThat(live.next(Duration.ZERO).changes().getFirst().isRemoved()).isTrue();
      }
    }
  }

  /// The states that the commits have led to: the log that a reader is compared with.
  private static NavigableMap<Commit, Map<Long, Player>> write(
      Store store, Queryable<Long, Player> players, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<Long, Player> model = new TreeMap<>();
    players.map().forEach(model::put);
    NavigableMap<Commit, Map<Long, Player>> states = new TreeMap<>();
    states.put(store.lastCommit(), new TreeMap<>(model));
    for (int i = 0; i < 400; i++) {
      store.transact(tx -> {
        int count = random.nextInt(10) == 0 ? 40 : 1;
        for (int j = 0; j < count; j++) {
          long key = random.nextLong(200);
          if (random.nextInt(3) == 0) {
            model.remove(key);
            players.in(tx).map().remove(key);
          } else {
            String text = random.nextInt(20) == 0 ? "x".repeat(5000) : "";
            Player player =
                new Player(random.nextBoolean() ? "red" : "blue", random.nextInt(20), text);
            model.put(key, player);
            players.in(tx).map().put(key, player);
          }
        }
      });
      states.put(store.lastCommit(), new TreeMap<>(model));
    }
    return states;
  }

  /// The first rows of a state, by a sort of all.
  private static Map<Object, Player> first(
      Map<Long, Player> state, boolean isDescending, int offset, int limit) {
    Comparator<Map.Entry<Long, Player>> order =
        Comparator.<Map.Entry<Long, Player>>comparingInt(row -> row.getValue().score())
            .thenComparing(Map.Entry.comparingByKey());
    Map<Object, Player> rows = new LinkedHashMap<>();
    state.entrySet().stream()
        .filter(row -> row.getValue().team().equals("red"))
        .sorted(isDescending ? order.reversed() : order)
        .skip(offset)
        .limit(limit)
        .forEach(row -> rows.put(row.getKey(), row.getValue()));
    return rows;
  }

  @ParameterizedTest
  @CsvSource({"asc,0,3", "desc,0,1", "desc,5,10", "asc,2,0", "asc,0,1000", "desc,30,40"})
  void everyStepGivesTheAnswerOfItsCommit(String direction, int offset, int limit)
      throws Exception {
    boolean isDescending = direction.equals("desc");
    try (Store store = Store.inMemory()) {
      Queryable<Long, Player> players = PLAYERS.open(store);
      for (long key = 0; key < 150; key++) {
        players.map().put(key, player(key % 2 == 0 ? "red" : "blue", (int) (key % 20)));
      }
      Query query =
          Queries.of(store)
              .table(players)
              .query(
                  "select this from players where team = 'red' order by score %s limit %d offset %d"
                      .formatted(direction, limit, offset));
      Found<Long, Player> found =
          players
              .where(TEAM.eq("red"))
              .orderBy(isDescending ? SCORE.desc() : SCORE.asc())
              .limit(limit)
              .offset(offset);
      try (LiveQuery<Long, Player> live = found.live(Visibility.APPLIED, 256 << 20);
          LiveQuery<Object, Row> text = query.live(Visibility.APPLIED, 256 << 20)) {
        Follower typed = new Follower(live);
        Follower read = new Follower(text);
        var writer = new Writer(store, players, limit * 31L + offset);
        Thread thread = Thread.ofPlatform().start(writer);
        boolean isOver = false;
        while (!isOver) {
          isOver = !thread.isAlive();
          typed.follow();
          read.follow();
        }
        thread.join();
        for (Follower follower : List.of(typed, read)) {
          follower.answers.forEach((commit, rows) ->
              assertThat(rows)
                  .as("%s, %s", direction, commit)
                  .isEqualTo(
                      first(
                          writer.states.floorEntry(commit).getValue(),
                          isDescending,
                          offset,
                          limit)));
          assertThat(follower.rows)
              .isEqualTo(first(writer.states.lastEntry().getValue(), isDescending, offset, limit));
        }
      }
    }
  }

  /// Writes on a thread of its own.
  private static final class Writer implements Runnable {
    private final Store store;
    private final Queryable<Long, Player> players;
    private final long seed;
    private NavigableMap<Commit, Map<Long, Player>> states = new TreeMap<>();

    Writer(Store store, Queryable<Long, Player> players, long seed) {
      this.store = store;
      this.players = players;
      this.seed = seed;
    }

    @Override
    public void run() {
      states = write(store, players, seed);
    }
  }

  /// An answer that follows what is reported.
  private static final class Follower {
    private final LiveQuery<?, ?> live;
    private final Map<Object, Object> rows = new TreeMap<>();
    private final Map<Commit, Map<Object, Object>> answers = new LinkedHashMap<>();
    private Commit at;

    Follower(LiveQuery<?, ?> live) {
      this.live = live;
      Answer<?, ?> first = live.start();
      first.entries().forEach(row -> rows.put(row.getKey(), value(row.getValue())));
      at = first.commit();
      answers.put(at, new TreeMap<>(rows));
    }

    private static Object value(Object value) {
      return value instanceof Row row ? row.get(0) : value;
    }

    void follow() {
      for (Step<?, ?> step = live.next(Duration.ZERO);
          step != null;
          step = live.next(Duration.ZERO)) {
        assertThat(step.areMissed()).isFalse();
        assertThat(step.commit()).isGreaterThan(at);
        at = step.commit();
        List<Object> keys = new ArrayList<>();
        for (Change<?, ?> change : step.changes()) {
          keys.add(change.key());
          Object before = change.before() == null ? null : value(change.before());
          Object known =
              change.after() == null
                  ? rows.remove(change.key())
                  : rows.put(change.key(), value(change.after()));
          assertThat(known).isEqualTo(before);
        }
        assertThat(keys).doesNotHaveDuplicates();
        answers.put(at, new TreeMap<>(rows));
      }
    }
  }
}
