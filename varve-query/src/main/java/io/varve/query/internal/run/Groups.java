package io.varve.query.internal.run;

import io.varve.query.Values;
import io.varve.query.internal.expr.Evaluation;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Scope;
import io.varve.query.internal.statement.Statement.Grouping;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Groups of rows, in the order of what they are grouped by. Holds one entry per group.
final class Groups implements ScopeStream {
  private final Iterator<Scope> groups;
  private @Nullable Scope at;

  Groups(ScopeStream rows, Grouping grouping) {
    TreeMap<List<@Nullable Object>, List<Accumulator>> found = new TreeMap<>(Values::compare);
    if (grouping.keys().isEmpty()) {
      found.put(List.of(), accumulators(grouping));
    }
    try (rows) {
      while (rows.next()) {
        List<@Nullable Object> key = new ArrayList<>(grouping.keys().size());
        for (Expression by : grouping.keys()) {
          key.add(Values.normal(Evaluation.value(by, rows.scope())));
        }
        for (Accumulator accumulator : found.computeIfAbsent(key, _ -> accumulators(grouping))) {
          accumulator.add(rows.scope());
        }
      }
    }
    List<Scope> scopes = new ArrayList<>(found.size());
    for (Map.Entry<List<@Nullable Object>, List<Accumulator>> group : found.entrySet()) {
      scopes.add(scope(group.getKey(), group.getValue()));
    }
    groups = scopes.iterator();
  }

  private static List<Accumulator> accumulators(Grouping grouping) {
    return grouping.aggregates().stream().map(Accumulator::new).toList();
  }

  private static Scope scope(List<@Nullable Object> key, List<Accumulator> accumulators) {
    return new Scope() {
      @Override
      public @Nullable Object key(int source) {
        throw new IllegalStateException("a group has no key");
      }

      @Override
      public @Nullable Object value(int source) {
        throw new IllegalStateException("a group has no value");
      }

      @Override
      public @Nullable Object slot(int index) {
        return index < key.size() ? key.get(index) : accumulators.get(index - key.size()).result();
      }
    };
  }

  @Override
  public boolean next() {
    at = groups.hasNext() ? groups.next() : null;
    return at != null;
  }

  @Override
  public Scope scope() {
    if (at == null) {
      throw new IllegalStateException("no group here");
    }
    return at;
  }

  @Override
  public void close() {
    at = null;
  }
}
