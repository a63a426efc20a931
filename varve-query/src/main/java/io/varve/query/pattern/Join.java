package io.varve.query.pattern;

import io.varve.item.Item;
import io.varve.item.ItemCursor;
import io.varve.item.ItemView;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The answers of patterns, found one at a time: a search that goes one pattern deeper with each
/// item that matches.
///
/// At each depth it takes the pattern for which the fewest items come into question, given what the
/// variables stand for by then. That is the count of the prefix that is known, which the view
/// counts without reading entries. So a pattern that nothing matches ends a branch before others
/// are read.
///
/// Holds one cursor for each pattern, and no answers. For one thread at a time.
final class Join implements Iterator<Bindings> {
  private final List<Shape> shapes;
  private final List<Var<?>> variables;
  private final ItemView view;
  private final JoinCounts counts;

  /// What each variable stands for in the branch that is being searched, or null.
  private final @Nullable Item[] bound;

  /// The open patterns of the branch, from the first one taken.
  private final Step[] steps;

  private int depth;
  private @Nullable Bindings next;
  private boolean isEnded;

  /// @param variables by their numbers
  /// @param counts receives what is taken and read
  Join(List<Shape> shapes, List<Var<?>> variables, ItemView view, JoinCounts counts) {
    this.shapes = shapes;
    this.variables = variables;
    this.view = view;
    this.counts = counts;
    this.bound = new Item[variables.size()];
    this.steps = new Step[shapes.size()];
    Step first = cheapest();
    if (first == null) {
      isEnded = true;
    } else {
      steps[0] = first;
    }
  }

  @Override
  public boolean hasNext() {
    if (next == null && !isEnded) {
      next = search();
      isEnded = next == null;
    }
    return next != null;
  }

  @Override
  public Bindings next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Bindings found = Objects.requireNonNull(next);
    next = null;
    return found;
  }

  /// The next answer, or null if there is none.
  private @Nullable Bindings search() {
    while (depth >= 0) {
      if (!steps[depth].advance()) {
        depth--;
      } else if (depth + 1 == steps.length) {
        return new Bindings(variables, Arrays.copyOf(bound, bound.length));
      } else {
        Step deeper = cheapest();
        if (deeper != null) {
          steps[++depth] = deeper;
        }
      }
    }
    return null;
  }

  /// A step of the pattern with the fewest items, of those that the branch has not; null if one of
  /// them has none.
  private @Nullable Step cheapest() {
    int taken = steps[0] == null ? 0 : depth + 1;
    int best = -1;
    int bestPlaces = 0;
    Item bestPrefix = Item.empty();
    long bestCount = Long.MAX_VALUE;
    for (int i = 0; i < shapes.size(); i++) {
      if (isTaken(i, taken)) {
        continue;
      }
      Shape shape = shapes.get(i);
      int places = shape.knownCount(bound);
      Item prefix = shape.prefix(places, bound);
      long count = view.count(prefix);
      if (count == 0) {
        return null;
      }
      if (count < bestCount) {
        best = i;
        bestPlaces = places;
        bestPrefix = prefix;
        bestCount = count;
      }
    }
    counts.took(best, taken);
    return new Step(best, bestPlaces, view.cursor(bestPrefix));
  }

  private boolean isTaken(int shape, int taken) {
    for (int i = 0; i < taken; i++) {
      if (steps[i].number == shape) {
        return true;
      }
    }
    return false;
  }

  /// A pattern of the branch, and the items that come into question for it.
  private final class Step {
    private final int number;
    private final Shape shape;

    /// The number of components at the start that the cursor's prefix has.
    private final int places;

    private final ItemCursor cursor;

    /// The variables that this step has given components.
    private final int[] own;

    private int ownCount;

    Step(int number, int places, ItemCursor cursor) {
      this.number = number;
      this.shape = shapes.get(number);
      this.places = places;
      this.cursor = cursor;
      this.own = new int[shape.size()];
    }

    /// Goes to the next item that matches, and binds the variables that it gives components.
    ///
    /// @return false if there is none; then all that it bound is free again
    boolean advance() {
      release();
      while (cursor.next()) {
        counts.read(number);
        if (matches(cursor.item())) {
          return true;
        }
        release();
      }
      return false;
    }

    private void release() {
      for (int i = 0; i < ownCount; i++) {
        bound[own[i]] = null;
      }
      ownCount = 0;
    }

    private boolean matches(Item item) {
      int size = item.size();
      if (size < shape.size() || (shape.isWhole() && size != shape.size())) {
        return false;
      }
      Item rest = item.suffix(places);
      for (int place = places; place < shape.size(); place++) {
        Item component = rest.prefix(1);
        rest = rest.suffix(1);
        Item wanted = shape.component(place, bound);
        if (wanted == null
            ? !bind(shape.variables()[place], component)
            : !wanted.equals(component)) {
          return false;
        }
      }
      return true;
    }

    private boolean bind(int variable, Item component) {
      Class<?> type = variables.get(variable).type();
      if (type != Object.class && !type.isInstance(component.at(0))) {
        return false;
      }
      bound[variable] = component;
      own[ownCount++] = variable;
      return true;
    }
  }
}
