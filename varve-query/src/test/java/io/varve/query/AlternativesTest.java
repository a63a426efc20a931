package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Many equalities that are joined by `or` find what each of them finds, and take no longer than an
/// `in`. So do many inequalities that are joined by `and`.
class AlternativesTest {
  private static final int ROWS = 400;
  private static final long SEED = Long.getLong("varve.seed", 38);

  record Item(int number, @Nullable Integer size, Object mixed) {}

  private final AtomicLong asked = new AtomicLong();
  private final Attribute<Item, Integer> size =
      Attribute.of(
          "size",
          Integer.class,
          item -> {
            asked.incrementAndGet();
            return item.size();
          });
  private final Attribute<Item, Object> mixed = Attribute.of("mixed", Object.class, Item::mixed);
  private final List<Item> objects = new ArrayList<>();
  private final Table<Integer, Item> table =
      Table.of(
          "items",
          Codec.int32(),
          Codec.of(item -> Codec.int32().encode(item.number()), this::read));
  private final Store store = Store.inMemory();
  private Queryable<Integer, Item> items;

  /// The codec of a program may give any objects.
  private Item read(byte[] bytes) {
    return objects.get(Codec.int32().decode(bytes));
  }

  private static Object mixed(int number) {
    return switch (number % 5) {
      case 0 -> number;
      case 1 -> (double) number;
      case 2 -> new BigDecimal(number + ".00");
      case 3 -> List.of(number);
      default -> "text " + number;
    };
  }

  @BeforeEach
  void open() {
    items =
        QueryTable.of(table, Entity.of(Item.class))
            .index(QueryIndex.of(size).named("sizes"))
            .index(QueryIndex.of(mixed).named("mixed"))
            .open(store);
    for (int number = 0; number < ROWS; number++) {
      Integer of = number % 7 == 0 ? null : Integer.valueOf(number % 50);
      objects.add(new Item(number, of, mixed(number)));
    }
    objects.forEach(item -> items.map().put(item.number(), item));
  }

  @AfterEach
  void close() {
    store.close();
  }

  /// Guards against a comparison of each row with each value.
  @Test
  void aRowIsNotComparedWithEachOfManyValues() {
    Condition<Item> any = size.eq(0);
    for (int number = 1; number < 1000; number++) {
      any = any.or(size.eq(number * 3));
    }
    long found = objects.stream().filter(of -> of.size() != null && of.size() % 3 == 0).count();
    for (Condition<Item> condition : List.of(any, any.and(size.isNotNull()))) {
      asked.set(0);
      assertThat(items.where(condition).using("").list()).hasSize((int) found);
      assertThat(asked.get()).isLessThanOrEqualTo(2 * ROWS);
    }
    asked.set(0);
    assertThat(items.where(any.not()).using("").count())
        .isEqualTo(objects.stream().filter(of -> of.size() != null).count() - found);
    assertThat(asked.get()).isLessThanOrEqualTo(2 * ROWS);
  }

  /// Guards against ranges that are intersected with each other, one by one.
  @Test
  void aRowIsNotComparedWithEachOfManyValuesThatItIsNot() {
    Condition<Item> none = size.ne(0);
    for (int number = 1; number < 20_000; number++) {
      none = none.and(number % 2 == 0 ? size.ne(number * 3) : size.eq(number * 3).not());
    }
    long found = objects.stream().filter(of -> of.size() != null && of.size() % 3 != 0).count();
    asked.set(0);
    assertThat(items.where(none).count()).isEqualTo(found);
    assertThat(items.where(none).using("sizes").list()).hasSize((int) found);
    assertThat(asked.get()).isLessThanOrEqualTo(3 * ROWS);
  }

  /// No index was used for them.
  @Test
  void whatIsNoneOfSomeValuesIsFoundByTheGapsBetweenThem() {
    Condition<Item> any = size.eq(2);
    Condition<Item> none = size.ne(2);
    for (int number = 3; number < 50; number++) {
      any = any.or(size.eq(number));
      none = none.and(size.ne(number));
    }
    List<Integer> values = IntStream.range(2, 50).boxed().toList();
    String sizes = "where size is one of 0, 1";
    for (Condition<Item> condition : List.of(any.not(), none, size.in(values).not())) {
      assertThat(items.where(condition).explain()).as(sizes).contains("index sizes: ranges=");
      assertThat(items.where(condition).using("sizes").list())
          .extracting(Item::size)
          .containsOnly(0, 1)
          .hasSize((int) objects.stream().filter(of -> of.size() != null && of.size() < 2).count());
    }
    Queries queries = Queries.of(store).table(items);
    assertThat(queries.query("from items where size not in (1, null)").list()).isEmpty();
    assertThat(items.where(size.in(List.of()).not()).list()).hasSize(ROWS);
  }

  @Test
  void textsAreTheSame() {
    String any =
        String.join(" or ", IntStream.range(0, 30).mapToObj("%d = size"::formatted).toList());
    String plan =
        Queries.of(store).table(items).query("select number from items where " + any).explain();
    assertThat(plan).contains("index sizes: ranges=30");
    for (Queries queries :
        List.of(
            Queries.of(store).table(items),
            Queries.of(store).table(table, Entity.of(Item.class)))) {
      assertThat(queries.query("select number from items where " + any).list())
          .hasSize(
              (int) objects.stream().filter(of -> of.size() != null && of.size() < 30).count());
      assertThat(queries.query("select number from items where not (" + any + ")").list())
          .hasSize(
              (int) objects.stream().filter(of -> of.size() != null && of.size() >= 30).count());
    }
  }

  @Test
  void everyPlanFindsWhatTheConditionsFind() {
    Random random = new Random(SEED);
    for (int round = 0; round < 60; round++) {
      Condition<Item> condition = random(random, 2);
      List<Integer> expected =
          objects.stream().filter(of -> condition.test(of.number(), of)).map(Item::number).toList();
      for (String name : Arrays.asList(null, "", "sizes", "mixed")) {
        Found<Integer, Item> found = items.where(condition);
        List<Item> list = (name == null ? found : found.using(name)).list();
        assertThat(list.stream().map(Item::number).sorted().toList())
            .as("seed=%s round=%s index=%s %s", SEED, round, name, condition)
            .isEqualTo(expected);
      }
    }
  }

  private Condition<Item> random(Random random, int depth) {
    if (depth > 0) {
      Condition<Item> left = random(random, depth - 1);
      Condition<Item> right = random(random, depth - 1);
      return switch (random.nextInt(4)) {
        case 0 -> left.and(right);
        case 1 -> left.not();
        default -> left.or(right);
      };
    }
    return random.nextInt(3) > 0 ? randomAny(random) : randomNone(random);
  }

  private Condition<Item> randomNone(Random random) {
    Condition<Item> none = random.nextBoolean() ? size.ne(-1) : size.isNull().not();
    for (int number = random.nextInt(5, 90); number > 0; number--) {
      int next = random.nextInt(ROWS);
      none =
          none.and(
              switch (random.nextInt(8)) {
                case 0 -> size.eq(next % 60).not();
                case 1, 2, 3 -> mixed.ne(mixed(next));
                default -> size.ne(next % 60);
              });
    }
    return none;
  }

  private Condition<Item> randomAny(Random random) {
    Condition<Item> any = size.isNull().and(size.isNotNull());
    for (int number = random.nextInt(5, 25); number > 0; number--) {
      int next = random.nextInt(ROWS);
      any =
          any.or(
              switch (random.nextInt(8)) {
                case 0 -> size.between(next, next + 1);
                case 1, 2, 3 -> mixed.eq(mixed(next));
                default -> size.eq(next % 60);
              });
    }
    return any;
  }
}
