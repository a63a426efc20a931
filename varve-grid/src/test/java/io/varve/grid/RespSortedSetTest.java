package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Ranges of scores (SCORE-1 to SCORE-3), against a model of a sorted set.
@Timeout(300)
class RespSortedSetTest extends SharedNode {
  private static final double[] SCORES = {
    Double.NEGATIVE_INFINITY, -9, -2.5, -1, 0, 1, 2, 7.25, Double.POSITIVE_INFINITY
  };
  private static final String[] MEMBERS = {"a", "b", "c", "d", "e"};

  private final SplittableRandom random = new SplittableRandom(3);
  private final TreeMap<String, Double> model = new TreeMap<>();

  private record Bound(double score, boolean isIncluded) {
    String text() {
      String number =
          Double.isInfinite(score) ? (score < 0 ? "-inf" : "+inf") : Double.toString(score);
      return (isIncluded ? "" : "(") + number;
    }

    boolean isNotAbove(double other) {
      return isIncluded ? score <= other : score < other;
    }

    boolean isNotBelow(double other) {
      return isIncluded ? score >= other : score > other;
    }
  }

  private Bound bound() {
    return new Bound(SCORES[random.nextInt(SCORES.length)], random.nextBoolean());
  }

  private List<String> within(Bound lowest, Bound highest) {
    return model.entrySet().stream()
        .filter(
            entry -> lowest.isNotAbove(entry.getValue()) && highest.isNotBelow(entry.getValue()))
        .sorted(Comparator.comparing(entry -> entry.getValue())) // of one score, by member
        .map(entry -> entry.getKey())
        .toList();
  }

  private static String array(List<String> members) {
    StringBuilder reply = new StringBuilder("*" + members.size() + " ");
    members.forEach(member -> reply.append("$").append(member.length()).append(" " + member + " "));
    return reply.toString();
  }

  @Test
  void rangesOfScoresHoldTheMembersBetweenTheirBounds() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      for (int round = 0; round < 400; round++) {
        fill(redis);
        for (int call = 0; call < 8; call++) {
          check(redis, bound(), bound());
        }
        remove(redis, bound(), bound());
      }
    }
  }

  private void fill(RawResp redis) throws Exception {
    redis.call("DEL", "z");
    model.clear();
    int count = random.nextInt(1, MEMBERS.length + 1);
    double[] few = {SCORES[random.nextInt(SCORES.length)], SCORES[random.nextInt(SCORES.length)]};
    for (int member = 0; member < count; member++) {
      double score =
          random.nextBoolean() ? few[random.nextInt(2)] : SCORES[random.nextInt(SCORES.length)];
      model.put(MEMBERS[member], score);
      redis.call("ZADD", "z", new Bound(score, true).text(), MEMBERS[member]);
    }
  }

  private void check(RawResp redis, Bound lowest, Bound highest) throws Exception {
    List<String> expected = within(lowest, highest);
    String low = lowest.text();
    String high = highest.text();
    String what = "%s from %s to %s".formatted(model, low, high);
    assertThat(redis.call("ZCOUNT", "z", low, high)).as(what).isEqualTo(":%d ", expected.size());
    assertThat(redis.call("ZRANGEBYSCORE", "z", low, high)).as(what).isEqualTo(array(expected));
    assertThat(redis.call("ZRANGE", "z", low, high, "BYSCORE")).as(what).isEqualTo(array(expected));
    assertThat(redis.call("ZREVRANGEBYSCORE", "z", high, low))
        .as(what)
        .isEqualTo(array(expected.reversed()));
    assertThat(redis.call("ZRANGE", "z", high, low, "byscore", "rev"))
        .as(what)
        .isEqualTo(array(expected.reversed()));
    assertThat(redis.call("ZRANGESTORE", "to", "z", low, high, "BYSCORE"))
        .as(what)
        .isEqualTo(":%d ", expected.size());
    List<String> part =
        new ArrayList<>(expected.subList(Math.min(1, expected.size()), expected.size()));
    assertThat(redis.call("ZRANGEBYSCORE", "z", low, high, "LIMIT", "1", "-1"))
        .as(what)
        .isEqualTo(array(part));
  }

  private void remove(RawResp redis, Bound lowest, Bound highest) throws Exception {
    List<String> removed = within(lowest, highest);
    String what =
        String.format(Locale.ROOT, "%s from %s to %s", model, lowest.text(), highest.text());
    assertThat(redis.call("ZREMRANGEBYSCORE", "z", lowest.text(), highest.text()))
        .as(what)
        .isEqualTo(":%d ", removed.size());
    removed.forEach(model::remove);
    Bound first = new Bound(Double.NEGATIVE_INFINITY, true);
    Bound last = new Bound(Double.POSITIVE_INFINITY, true);
    assertThat(redis.call("ZRANGE", "z", "0", "-1")).as(what).isEqualTo(array(within(first, last)));
  }

  @Test
  void whatIsNoScoreIsRefused() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      redis.call("ZADD", "z", "1", "a");
      assertThat(redis.call("ZCOUNT", "z", "(x", "(2")).isEqualTo("-ERR ");
      assertThat(redis.call("ZRANGEBYSCORE", "z", "1", "(")).isEqualTo("-ERR ");
      assertThat(redis.call("ZREMRANGEBYSCORE", "z", "nan", "1")).isEqualTo("-ERR ");
      assertThat(redis.call("ZCARD", "z")).isEqualTo(":1 ");
    }
  }

  /// The node went through all members for each of them.
  @Test
  @Timeout(20)
  void randomMembersTakeNotLong() throws Exception {
    int members = 60_000;
    List<String> words = new ArrayList<>(List.of("ZADD", "large"));
    for (int member = 0; member < members; member++) {
      words.addAll(List.of(Integer.toString(member), "m" + member));
    }
    try (var redis = new RawResp(node.port())) {
      redis.call(words.toArray(String[]::new));
      assertThat(redis.call("ZRANDMEMBER", "large", "70000").split(" "))
          .as("each once")
          .hasSize(1 + 2 * members)
          .filteredOn(word -> word.startsWith("m"))
          .doesNotHaveDuplicates();
      assertThat(redis.call("ZRANDMEMBER", "large", "-70000")).startsWith("*70000 ");
      assertThat(redis.call("ZRANDMEMBER", "large", "2", "WITHSCORES")).startsWith("*4 ");
      assertThat(redis.call("ZRANDMEMBER", "large", "0")).isEqualTo("*0 ");
      assertThat(redis.call("ZRANDMEMBER", "none", "2")).isEqualTo("*0 ");
      assertThat(redis.call("ZRANDMEMBER", "none", "-2")).isEqualTo("*0 ");
      assertThat(redis.call("ZRANDMEMBER", "none")).isEqualTo("$-1 ");
      assertThat(redis.call("ZRANDMEMBER", "large", "x")).startsWith("-ERR");
      assertThat(redis.call("ZRANDMEMBER", "large", "1", "x")).startsWith("-ERR");
    }
  }
}
