package io.varve.query;

import io.varve.query.internal.expr.Comparison;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Predicate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A value that each object of a class has, by the name that queries call it: a field, what a
/// method returns, or anything that is computed of the object alone.
///
/// ```java
/// static final Attribute<Person, String> CITY = Attribute.of("city", String.class, Person::city);
/// static final Attribute<Person, String> TAGS = Attribute.each("tags", String.class, Person::tags);
///
/// Condition<Person> wanted = CITY.eq("Bonn").and(TAGS.contains("new"));
/// ```
///
/// Values compare as [Values] defines. Immutable, as the function should be.
///
/// @param <V> the objects
/// @param <T> the values, or the elements where there are many
/// @since 1.0
public final class Attribute<V, T> {
  private final String path;
  private final Class<T> type;
  private final Function<? super V, ?> getter;
  private final boolean isMany;

  private Attribute(String path, Class<T> type, Function<? super V, ?> getter, boolean isMany) {
    this.path = Objects.requireNonNull(path, "path");
    this.type = Objects.requireNonNull(type, "type");
    this.getter = Objects.requireNonNull(getter, "getter");
    this.isMany = isMany;
  }

  /// An attribute of which each object has one value, or null.
  ///
  /// @param path as queries write it, such as `address.city`
  /// @param type of the values; `Object` for mixed types
  public static <V, T> Attribute<V, T> of(
      String path, Class<T> type, Function<? super V, ? extends @Nullable T> getter) {
    return new Attribute<>(path, type, getter, false);
  }

  /// An attribute of which an object has any number of values.
  ///
  /// @param type of the elements
  public static <V, T> Attribute<V, T> each(
      String path,
      Class<T> type,
      Function<? super V, ? extends @Nullable Iterable<? extends @Nullable T>> getter) {
    return new Attribute<>(path, type, getter, true);
  }

  /// How queries write it.
  public String path() {
    return path;
  }

  /// The type of the values, or of the elements; `Object` if they are mixed.
  public Class<T> type() {
    return type;
  }

  /// Whether an object has any number of values.
  public boolean isMany() {
    return isMany;
  }

  /// The value of an object, or the elements, as an `Iterable`.
  public @Nullable Object get(V object) {
    return getter.apply(object);
  }

  /// The values of an object: of one value that one alone, also if it is null.
  public Iterable<?> elements(V object) {
    Object value = getter.apply(object);
    if (!isMany) {
      return Collections.singletonList(value);
    }
    return value == null ? List.of() : (Iterable<?>) value;
  }

  /// Whether the value equals `value`; of many, whether one of them does.
  public Condition<V> eq(T value) {
    return compare(Comparison.EQUAL, value);
  }

  /// Whether there is a value and it does not equal `value`.
  public Condition<V> ne(T value) {
    return isMany ? eq(value).not() : compare(Comparison.NOT_EQUAL, value);
  }

  /// Whether the value is less.
  public Condition<V> lt(T value) {
    return compare(Comparison.LESS, value);
  }

  /// Whether the value is less or equal.
  public Condition<V> le(T value) {
    return compare(Comparison.LESS_OR_EQUAL, value);
  }

  /// Whether the value is greater.
  public Condition<V> gt(T value) {
    return compare(Comparison.GREATER, value);
  }

  /// Whether the value is greater or equal.
  public Condition<V> ge(T value) {
    return compare(Comparison.GREATER_OR_EQUAL, value);
  }

  /// Whether the value is at least `low` and at most `high`.
  public Condition<V> between(T low, T high) {
    return ofEach(value -> new Expression.Between(value, literal(low), literal(high)));
  }

  /// Whether the value equals one of these.
  @SafeVarargs
  public final Condition<V> in(T first, T second, T... others) {
    Objects.requireNonNull(others, "others");
    List<T> values = new ArrayList<>();
    values.add(first);
    values.add(second);
    for (T other : others) {
      values.add(other);
    }
    return in(values);
  }

  /// Whether the value equals one of these.
  public Condition<V> in(Collection<? extends T> values) {
    List<Expression> items =
        Objects.requireNonNull(values, "values").stream()
            .<Expression>map(Attribute::literal)
            .toList();
    return ofEach(value -> new Expression.In(value, items));
  }

  /// Whether the value is a text of that form: `%` stands for any characters, `_` for one.
  public Condition<V> like(String pattern) {
    return ofEach(value -> new Expression.Like(value, literal(pattern), null));
  }

  /// Whether there is no value.
  public Condition<V> isNull() {
    Expression value = new Expression.Path(0, this);
    return new Predicate<>(isMany ? new Expression.IsEmpty(value) : new Expression.IsNull(value));
  }

  /// Whether there is a value.
  public Condition<V> isNotNull() {
    return isNull().not();
  }

  /// Whether one of the values equals `element`.
  public Condition<V> contains(T element) {
    return new Predicate<>(new Expression.MemberOf(literal(element), new Expression.Path(0, this)));
  }

  /// Smaller values first.
  public Order<V> asc() {
    return new Order<>(this, false, Nulls.FIRST);
  }

  /// Greater values first.
  public Order<V> desc() {
    return new Order<>(this, true, Nulls.LAST);
  }

  private static Expression literal(@Nullable Object value) {
    return new Expression.Literal(Objects.requireNonNull(value, "value"));
  }

  private Condition<V> compare(Comparison comparison, T value) {
    if (isMany && comparison == Comparison.EQUAL) {
      return contains(value);
    }
    return ofEach(each -> new Expression.Compare(comparison, each, literal(value)));
  }

  /// A condition of the value; of many values, whether it is true of one of them.
  private Condition<V> ofEach(Function<Expression, Expression> condition) {
    Expression value = new Expression.Path(0, this);
    return new Predicate<>(
        isMany
            ? new Expression.Exists(1, value, condition.apply(new Expression.Self(1)))
            : condition.apply(value));
  }

  @Override
  public String toString() {
    return path;
  }
}
