package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import io.varve.json.JsonCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Typed conditions, and the attributes of classes.
class AttributeTest {
  private static final Attribute<Thing, Integer> SIZE =
      Attribute.of("size", Integer.class, Thing::size);
  private static final Attribute<Thing, String> NAME =
      Attribute.of("name", String.class, Thing::name);
  private static final Attribute<Thing, String> TAGS =
      Attribute.each("tags", String.class, Thing::tags);

  record Thing(@Nullable Integer size, @Nullable String name, List<String> tags) {}

  /// A condition, and the same in Java: null is unknown.
  private record Same(Condition<Thing> condition, Function<Thing, @Nullable Boolean> java) {}

  @Test
  void conditionsAreWhatJavaMakesOfThem() {
    var random = new SplittableRandom(7);
    for (int round = 0; round < 3000; round++) {
      Same same = random(random, 3);
      for (int count = 0; count < 5; count++) {
        Thing thing =
            new Thing(
                random.nextInt(3) == 0 ? null : random.nextInt(5),
                random.nextInt(3) == 0 ? null : "abc".substring(random.nextInt(3)),
                List.of("x", "y", "z").subList(0, random.nextInt(4)));
        assertThat(same.condition().test("key", thing))
            .as("%s of %s", same.condition(), thing)
            .isEqualTo(Boolean.TRUE.equals(same.java().apply(thing)));
      }
    }
  }

  /// Guards against a [StackOverflowError] where a query reads the condition.
  @Test
  void conditionsOfOtherKindsNestWithinABound() {
    Condition<Thing> deep = SIZE.eq(0);
    for (int level = 1; level < 250; level++) {
      deep = deep.and(SIZE.ne(level)).or(SIZE.eq(level));
    }
    assertThat(deep.test("key", new Thing(249, null, List.of()))).isTrue();
    Condition<Thing> deepest = deep.and(NAME.isNull());
    assertThat(deepest.test("key", new Thing(250, null, List.of()))).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(deepest::not)
        .withMessageStartingWith("the condition nests too deep: levels=501, max=500");
    assertThatIllegalArgumentException().isThrownBy(() -> NAME.isNull().or(deepest));
    Condition<Thing> wide = deepest.and(NAME.isNull());
    for (int number = 0; number < 3000; number++) {
      wide = wide.and(SIZE.ne(number));
    }
    assertThat(wide.test("key", new Thing(1, null, List.of()))).isFalse();
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aRowIsNotComparedWithEachOfManyValues() {
    int count = 200_000;
    Condition<Thing> condition = SIZE.in(IntStream.range(0, count).boxed().toList());
    int found = 0;
    for (int size = 0; size < count; size++) {
      found +=
          condition.and(NAME.isNull()).test("key", new Thing(2 * size, null, List.of())) ? 1 : 0;
    }
    assertThat(found).isEqualTo(count / 2);
  }

  private static Same random(RandomGenerator random, int depth) {
    if (depth > 0 && random.nextBoolean()) {
      Same left = random(random, depth - 1);
      Same right = random(random, depth - 1);
      return switch (random.nextInt(3)) {
        case 0 ->
            new Same(
                left.condition().and(right.condition()),
                of -> and(left.java().apply(of), right.java().apply(of)));
        case 1 ->
            new Same(
                left.condition().or(right.condition()),
                of -> not(and(not(left.java().apply(of)), not(right.java().apply(of)))));
        default -> new Same(left.condition().not(), of -> not(left.java().apply(of)));
      };
    }
    int n = random.nextInt(5);
    return switch (random.nextInt(14)) {
      case 0 -> new Same(SIZE.eq(n), of -> of.size() == null ? null : of.size() == n);
      case 1 -> new Same(SIZE.ne(n), of -> of.size() == null ? null : of.size() != n);
      case 2 -> new Same(SIZE.lt(n), of -> of.size() == null ? null : of.size() < n);
      case 3 -> new Same(SIZE.le(n), of -> of.size() == null ? null : of.size() <= n);
      case 4 -> new Same(SIZE.gt(n), of -> of.size() == null ? null : of.size() > n);
      case 5 -> new Same(SIZE.ge(n), of -> of.size() == null ? null : of.size() >= n);
      case 6 ->
          new Same(
              SIZE.between(1, n),
              of -> of.size() == null ? null : of.size() >= 1 && of.size() <= n);
      case 7 ->
          new Same(
              SIZE.in(1, n),
              of ->
                  of.size() == null
                      ? null
                      : Set.of(1, n + 10).contains(of.size()) || of.size() == n);
      case 8 -> new Same(SIZE.isNull(), of -> of.size() == null);
      case 9 ->
          new Same(NAME.like("%b_"), of -> of.name() == null ? null : of.name().matches(".*b."));
      case 10 -> new Same(NAME.isNotNull(), of -> of.name() != null);
      case 11 -> new Same(TAGS.contains("y"), of -> of.tags().contains("y"));
      case 12 -> new Same(TAGS.gt("x"), of -> of.tags().size() > 1);
      default -> new Same(TAGS.isNull(), of -> of.tags().isEmpty());
    };
  }

  private static @Nullable Boolean and(@Nullable Boolean left, @Nullable Boolean right) {
    if (Boolean.FALSE.equals(left) || Boolean.FALSE.equals(right)) {
      return false;
    }
    return left == null || right == null ? null : true;
  }

  private static @Nullable Boolean not(@Nullable Boolean value) {
    return value == null ? null : !value;
  }

  /// A class with fields and getters.
  public static final class Bean {
    public int field = 3;
    private Optional<String> text = Optional.of("t");
    private final Map<String, Integer> counts = Map.of("a", 1);
    private final int[] numbers = {1, 2};

    public Optional<String> getText() {
      return text;
    }

    public void setText(Optional<String> text) {
      this.text = text;
    }

    public boolean isEmpty() {
      return false;
    }

    public Map<String, Integer> getCounts() {
      return counts;
    }

    public int[] getNumbers() {
      return numbers;
    }

    public List<Thing> getThings() {
      return List.of(new Thing(1, "a", List.of("x")), new Thing(2, null, List.of("y", "z")));
    }
  }

  @Test
  void attributesOfClassesAreFieldsGettersAndThoseOfWhatTheyLeadTo() {
    Entity<Bean> entity = Entity.of(Bean.class);
    Bean bean = new Bean();
    assertThat(entity.attribute("field").get(bean)).isEqualTo(3);
    assertThat(entity.attribute("field").type()).isEqualTo(Integer.class);
    assertThat(entity.attribute("text").get(bean)).isEqualTo("t");
    assertThat(entity.attribute("text").type()).isEqualTo(String.class);
    assertThat(entity.attribute("empty").get(bean)).isEqualTo(false);
    assertThat(entity.attribute("counts.a").get(bean)).isEqualTo(1);
    assertThat(elements(entity, "counts.keys", bean)).containsExactly("a");
    assertThat(elements(entity, "numbers", bean)).containsExactly(1, 2);
    assertThat(elements(entity, "things.size", bean)).containsExactly(1, 2);
    assertThat(elements(entity, "things.tags", bean)).containsExactly("x", "y", "z");
    assertThat(entity.attribute("things.tags").isMany()).isTrue();
    assertThat(entity.attributes()).extracting(Attribute::path).contains("field", "things.name");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> entity.attribute("tings.tag"))
        .withMessage("no such attribute: entity=Bean, path=tings.tag, nearest=things.tags");
    assertThat(entity.with(bean, Map.of("field", 5L, "text", "u")).field).isEqualTo(5);
    assertThat(bean.getText()).contains("u");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> entity.with(bean, Map.of("field", 1.5)))
        .withMessageContaining("the number does not fit");
  }

  /// An attribute that is listed has the type that it was given.
  @Test
  @SuppressWarnings("rawtypes") // there is no class of an `Optional<Boolean>`
  void anOptionalMayBeACondition() {
    Table<String, Boolean> flags = Table.of("flags", Codec.string(), JsonCodec.of(Boolean.class));
    Attribute<Boolean, Optional> flag = Attribute.of("flag", Optional.class, Optional::of);
    try (Store store = Store.inMemory()) {
      store.open(flags).put("no", false);
      store.open(flags).put("yes", true);
      Queries queries =
          Queries.of(store).table(flags, Entity.of("Flag", Boolean.class, List.of(flag)));
      assertThat(queries.query("from flags where flag and this").list()).hasSize(1);
    }
  }

  private static List<Object> elements(Entity<Bean> entity, String path, Bean bean) {
    List<Object> elements = new ArrayList<>();
    entity.attribute(path).elements(bean).forEach(elements::add);
    return elements;
  }
}
