package io.varve.query.pattern;

import io.varve.item.Item;
import io.varve.item.ItemView;
import java.util.ArrayList;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// A question to items: patterns of components and variables, all of which an answer fulfils with
/// the same components for the same variables.
///
/// ```java
/// Var<Long> id = Patterns.var("id", Long.class);
/// Var<Double> price = Patterns.var("price", Double.class);
///
/// Patterns expensive = Patterns.of("Trade", id, "desk", "Bonn").and("Trade", id, "price", price);
/// try (ItemSnapshot snapshot = items.snapshot()) {
///   expensive.stream(snapshot).filter(found -> found.get(price) > 100).forEach(this::check);
/// }
/// ```
///
/// A pattern matches each item that has its components at the same indexes, and no others after
/// them. A variable of a type matches components of that type alone. Patterns are read in the order
/// that reads least, found by counting and not by guessing, again for each answer of the ones
/// before: write them in the order in which they are easy to read. A pattern reads all items that
/// share what is known at its start. So put what is asked for first in the items, or keep a second
/// item with the components in another order.
///
/// Answers come as they are found, in no stated order, each as often as items give it. Nothing
/// proportional to them is held. Of an [io.varve.item.ItemSnapshot] they are of one state; of an
/// [io.varve.item.ItemSpace] each move of a cursor sees what is there by then.
///
/// Unmodifiable, for any number of threads.
///
/// @since 1.0
public final class Patterns {
  private final List<Shape> shapes;
  private final List<Var<?>> variables;

  private Patterns(List<Shape> shapes, List<Var<?>> variables) {
    this.shapes = shapes;
    this.variables = variables;
  }

  /// A variable that stands for a component of any type.
  public static Var<Object> var(String name) {
    return new Var<>(name, Object.class);
  }

  /// A variable that stands for a component of a type, as [io.varve.item.Components#at] gives it:
  /// `Long`, `String`, `Double`, ...
  public static <T> Var<T> var(String name, Class<T> type) {
    return new Var<>(name, type);
  }

  /// Begins with a pattern.
  ///
  /// @param parts what is at each index: a [Var], or a component as [Item#of] takes it
  /// @throws IllegalArgumentException if there is no part, one cannot be a component, or a variable
  ///   has two types
  public static Patterns of(Object... parts) {
    return new Patterns(List.of(), List.of()).with(parts, true);
  }

  /// Begins with a pattern that longer items match as well: components may follow.
  public static Patterns ofPrefix(Object... parts) {
    return new Patterns(List.of(), List.of()).with(parts, false);
  }

  /// These patterns and another one, as [#of] takes it.
  public Patterns and(Object... parts) {
    return with(parts, true);
  }

  /// These patterns and another one, which longer items match as well.
  public Patterns andPrefix(Object... parts) {
    return with(parts, false);
  }

  private Patterns with(Object[] parts, boolean isWhole) {
    List<Var<?>> known = new ArrayList<>(variables);
    List<Shape> all = new ArrayList<>(shapes);
    all.add(Shape.of(parts, isWhole, known));
    return new Patterns(List.copyOf(all), List.copyOf(known));
  }

  /// The variables, in the order in which the patterns name them.
  public List<Var<?>> variables() {
    return variables;
  }

  /// The answers, found as they are asked for.
  public Stream<Bindings> stream(ItemView view) {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(
            run(view, new JoinCounts(shapes.size())), Spliterator.NONNULL),
        false);
  }

  /// All answers.
  public List<Bindings> list(ItemView view) {
    return stream(view).toList();
  }

  /// How many answers there are: each is found, and none is kept.
  public long count(ItemView view) {
    return stream(view).mapToLong(_ -> 1).sum();
  }

  /// Finds all answers, and reports how: for each pattern how many items it has before any variable
  /// is bound, when it was taken, and how many items were read for it.
  public String explain(ItemView view) {
    JoinCounts counts = new JoinCounts(shapes.size());
    long answers = 0;
    for (Join join = run(view, counts); join.hasNext(); join.next()) {
      answers++;
    }
    @Nullable Item[] unbound = new Item[variables.size()];
    long[] items =
        shapes.stream()
            .mapToLong(shape -> view.count(shape.prefix(shape.knownCount(unbound), unbound)))
            .toArray();
    return counts.describe(
        shapes.stream().map(shape -> shape.describe(variables)).toList(), items, answers);
  }

  private Join run(ItemView view, JoinCounts counts) {
    return new Join(shapes, variables, view, counts);
  }

  @Override
  public String toString() {
    return String.join(" and ", shapes.stream().map(shape -> shape.describe(variables)).toList());
  }
}
