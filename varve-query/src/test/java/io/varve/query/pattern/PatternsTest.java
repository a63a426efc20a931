package io.varve.query.pattern;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.varve.Store;
import io.varve.item.Attribute;
import io.varve.item.EntityClass;
import io.varve.item.Item;
import io.varve.item.ItemSnapshot;
import io.varve.item.ItemSpace;
import io.varve.item.ItemView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatternsTest {
  private final Store store = Store.inMemory();
  private final ItemSpace items = store.items("trades");

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void theGuidesExample() {
    items.insert(Item.of("Trade", 1L, "desk", "Bonn"));
    items.insert(Item.of("Trade", 1L, "price", 120.5));
    items.insert(Item.of("Trade", 2L, "desk", "Bonn"));
    items.insert(Item.of("Trade", 2L, "price", 80.0));
    items.insert(Item.of("Trade", 3L, "desk", "Ulm"));
    items.insert(Item.of("Trade", 3L, "price", 200.0));
    List<Long> expensive = new ArrayList<>();

    Var<Long> id = Patterns.var("id", Long.class);
    Var<Double> price = Patterns.var("price", Double.class);
    Patterns trades = Patterns.of("Trade", id, "desk", "Bonn").and("Trade", id, "price", price);
    try (ItemSnapshot snapshot = items.snapshot()) {
      trades.stream(snapshot)
          .filter(found -> found.get(price) > 100)
          .forEach(found -> expensive.add(found.get(id)));
    }

    assertThat(expensive).containsExactly(1L);
    assertThat(trades.count(items)).isEqualTo(2);
    assertThat(trades.variables()).containsExactly(id, price);
    assertThat(trades)
        .hasToString(
            "(\"Trade\", ?id, \"desk\", \"Bonn\") and (\"Trade\", ?id, \"price\", ?price)");
  }

  @Test
  void aVariableHoldsOneComponentWithinAPatternToo() {
    items.insert(Item.of("cites", 1L, 2L));
    items.insert(Item.of("cites", 3L, 3L));
    Var<Object> x = Patterns.var("x");
    assertThat(Patterns.of("cites", x, x).list(items))
        .extracting(found -> found.get(x))
        .containsExactly(3L);
  }

  @Test
  void typesTellComponentsApart() {
    items.insert(Item.of("a", 1L));
    items.insert(Item.of("a", 1.0));
    items.insert(Item.of("a", "1"));
    assertThat(Patterns.of("a", Patterns.var("x")).count(items)).isEqualTo(3);
    assertThat(Patterns.of("a", Patterns.var("x", Long.class)).list(items))
        .extracting(Bindings::toMap)
        .containsExactly(Map.of("x", 1L));
    assertThat(Patterns.of("a", 1.0).count(items)).isEqualTo(1);
  }

  @Test
  void longerItemsMatchPrefixesAlone() {
    items.insert(Item.of("a", 1L));
    items.insert(Item.of("a", 1L, 2L));
    Var<Object> x = Patterns.var("x");
    assertThat(Patterns.of("a", x).count(items)).isEqualTo(1);
    assertThat(Patterns.ofPrefix("a", x).count(items)).isEqualTo(2);
    assertThat(Patterns.of("a", x).andPrefix("a", x).count(items)).isEqualTo(2);
    assertThat(Patterns.ofPrefix("a", x)).hasToString("(\"a\", ?x, ...)");
  }

  @Test
  void markersAreComponents() {
    EntityClass patent = new EntityClass(10, "Patent");
    Attribute title = new Attribute(11, "Title");
    items.insert(Item.of(patent, 7L, title, "Folding boat"));
    Var<Attribute> attribute = Patterns.var("attribute", Attribute.class);
    assertThat(Patterns.of(patent, 7L, attribute, Patterns.var("value")).list(items))
        .singleElement()
        .satisfies(found -> {
          assertThat(found.get(attribute).number()).isEqualTo(11);
          assertThat(found.get("value")).isEqualTo("Folding boat");
        });
  }

  /// A thousand trades, of which one is of the desk: its pattern is taken first wherever it is in
  /// the query.
  @Test
  void thePatternWithTheFewestItemsIsTakenFirst() {
    for (long i = 0; i < 1_000; i++) {
      items.insert(Item.of("price", i, (double) i));
    }
    items.insert(Item.of("desk", "Bonn", 500L));
    Var<Long> id = Patterns.var("id", Long.class);
    Patterns trades = Patterns.of("price", id, Patterns.var("price")).and("desk", "Bonn", id);
    assertThat(trades.explain(items))
        .isEqualTo(
            """
            ("price", ?id, ?price): items=1000, taken=1 times as 2 of 2, read=1
            ("desk", "Bonn", ?id): items=1, taken=1 times as 1 of 2, read=1
            answers=1\
            """);
  }

  @Test
  void aPatternThatNothingMatchesEndsTheSearchImmediately() {
    for (long i = 0; i < 100; i++) {
      items.insert(Item.of("price", i));
    }
    Var<Object> id = Patterns.var("id");
    assertThat(Patterns.of("price", id).and("nothing", id).explain(items))
        .contains("read=0\n(\"nothing\"")
        .endsWith("answers=0");
  }

  @Test
  void theStreamReadsNoFurtherThanItIsAsked() {
    for (long i = 0; i < 100_000; i++) {
      items.insert(Item.of("n", i));
    }
    Var<Object> a = Patterns.var("a");
    Var<Object> b = Patterns.var("b");
    Patterns pairs = Patterns.of("n", a).and("n", b); // ten thousand million answers
    assertThat(pairs.stream(items).limit(5)).hasSize(5);
  }

  @Test
  void misuseIsRefused() {
    Var<Object> x = Patterns.var("x");
    assertThatIllegalArgumentException().isThrownBy(Patterns::of);
    assertThatIllegalArgumentException().isThrownBy(() -> Patterns.var(""));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Patterns.of(x).and(Patterns.var("x", Long.class)))
        .withMessageContaining("one type")
        .withMessageContaining("name=x");
    assertThatIllegalArgumentException().isThrownBy(() -> Patterns.of(new StringBuilder()));
    items.insert(Item.of(1L));
    Bindings found = Patterns.of(x).list(items).getFirst();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> found.get("y"))
        .withMessageContaining("variables=[?x]");
  }

  private static Object component(SplittableRandom random) {
    int n = random.nextInt(3);
    return switch (random.nextInt(7)) {
      case 0 -> (long) n;
      case 1 -> (double) n;
      case 2 -> "s" + n;
      case 3 -> n == 0;
      case 4 -> new Attribute(n);
      case 5 -> new byte[n];
      default -> new UUID(n, n);
    };
  }

  /// Random items and patterns of few components, so that many match, against all combinations.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void answersAreThoseOfAllCombinations(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Item> all = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      Object[] parts = new Object[1 + random.nextInt(3)];
      for (int p = 0; p < parts.length; p++) {
        parts[p] = component(random);
      }
      Item item = Item.of(parts);
      items.insert(item);
      if (!all.contains(item)) {
        all.add(item);
      }
    }
    int answers = 0;
    for (int round = 0; round < 300; round++) {
      answers += checkOne(random, all);
    }
    assertThat(answers).isGreaterThan(1_000);
  }

  private int checkOne(SplittableRandom random, List<Item> all) {
    List<Object[]> parts = new ArrayList<>();
    List<Boolean> whole = new ArrayList<>();
    Patterns patterns = null;
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      Object[] places = new Object[1 + random.nextInt(3)];
      for (int p = 0; p < places.length; p++) {
        places[p] =
            random.nextInt(3) == 0 ? component(random) : Patterns.var("v" + random.nextInt(4));
      }
      boolean isWhole = random.nextInt(4) > 0;
      parts.add(places);
      whole.add(isWhole);
      patterns = with(patterns, places, isWhole);
    }
    List<Map<String, Item>> expected = new ArrayList<>();
    combine(parts, whole, all, 0, new HashMap<>(), expected);
    ItemView view = items;
    List<Map<String, Item>> found = patterns.stream(view).map(PatternsTest::encoded).toList();
    assertThat(timesOfEach(found)).as(patterns.toString()).isEqualTo(timesOfEach(expected));
    return found.size();
  }

  /// How often each answer is there: compares tens of thousands in any order without a scan for
  /// each.
  private static Map<Map<String, Item>, Long> timesOfEach(List<Map<String, Item>> answers) {
    return answers.stream().collect(groupingBy(identity(), counting()));
  }

  private static Patterns with(Patterns patterns, Object[] places, boolean isWhole) {
    if (patterns == null) {
      return isWhole ? Patterns.of(places) : Patterns.ofPrefix(places);
    }
    return isWhole ? patterns.and(places) : patterns.andPrefix(places);
  }

  private static Map<String, Item> encoded(Bindings found) {
    Map<String, Item> map = new HashMap<>();
    found.toMap().forEach((name, component) -> map.put(name, Item.of(component)));
    return map;
  }

  private static void combine(
      List<Object[]> parts,
      List<Boolean> whole,
      List<Item> all,
      int at,
      Map<String, Item> bound,
      List<Map<String, Item>> expected) {
    if (at == parts.size()) {
      expected.add(new HashMap<>(bound));
      return;
    }
    Object[] places = parts.get(at);
    for (Item item : all) {
      boolean fits = whole.get(at) ? item.size() == places.length : item.size() >= places.length;
      Map<String, Item> more = new HashMap<>(bound);
      for (int p = 0; fits && p < places.length; p++) {
        Item component = item.suffix(p).prefix(1);
        Item wanted =
            places[p] instanceof Var<?> variable
                ? more.computeIfAbsent(variable.name(), _ -> component)
                : Item.of(places[p]);
        fits = wanted.equals(component);
      }
      if (fits) {
        combine(parts, whole, all, at + 1, more, expected);
      }
    }
  }
}
