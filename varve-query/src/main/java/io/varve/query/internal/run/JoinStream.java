package io.varve.query.internal.run;

import io.varve.query.internal.access.Rows;
import io.varve.query.internal.expr.Evaluation;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Expressions;
import io.varve.query.internal.expr.Scope;
import io.varve.query.internal.expr.Sorting;
import io.varve.query.internal.statement.Statement.Join;
import io.varve.query.internal.statement.Statement.Source;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Joins sources by nested loops: for each row of the sources before it, a source is asked for the
/// rows that go with it, so that its indexes are used. Rows come in the order of the first source.
final class JoinStream implements ScopeStream {
  private final TableReader tables;
  private final List<Sorting> order; // of the first source
  private final List<Level> levels = new ArrayList<>();
  private final @Nullable Object[] keys;
  private final @Nullable Object[] values;
  private final Scope scope =
      new Scope() {
        @Override
        public @Nullable Object key(int source) {
          return keys[source];
        }

        @Override
        public @Nullable Object value(int source) {
          return values[source];
        }
      };

  private int depth; // the level that moves next, or -1 at the end
  private boolean isStarted;

  JoinStream(TableReader tables, List<Source> sources, Expression where, List<Sorting> order) {
    this.order = order;
    this.tables = tables;
    this.keys = new @Nullable Object[sources.size()];
    this.values = new @Nullable Object[sources.size()];
    for (Source source : sources) {
      levels.add(new Level(source));
    }
    for (Expression conjunct : Expressions.conjuncts(where)) {
      Level level = levels.get(lastSource(conjunct, sources.size()));
      (level.source.join() == Join.LEFT ? level.filter : level.condition).add(conjunct);
    }
    for (Level level : levels) {
      level.condition.addAll(Expressions.conjuncts(level.source.on()));
    }
  }

  /// The last of the sources that a condition is about.
  static int lastSource(Expression condition, int sourceCount) {
    int[] last = {0};
    Expressions.contains(
        condition,
        part -> {
          int source =
              switch (part) {
                case Expression.Path path -> path.source();
                case Expression.KeyPath key -> key.source();
                case Expression.Self self -> self.source();
                default -> 0;
              };
          last[0] = source < sourceCount ? Math.max(last[0], source) : last[0];
          return false;
        });
    return last[0];
  }

  @Override
  public boolean next() {
    if (!isStarted) {
      isStarted = true;
      levels.getFirst().open();
    }
    while (depth >= 0) {
      if (!levels.get(depth).advance()) {
        levels.get(depth).close();
        depth--;
      } else if (depth == levels.size() - 1) {
        return true;
      } else {
        depth++;
        levels.get(depth).open();
      }
    }
    return false;
  }

  /// How each source would be asked, for the first row of those before it, as lines of text.
  List<String> explain() {
    List<String> lines = new ArrayList<>();
    for (Level level : levels) {
      lines.add(level.explain());
      level.open();
      if (!level.advance()) {
        lines.add("no row goes with the first ones; what follows is not known");
        break;
      }
    }
    return lines;
  }

  @Override
  public Scope scope() {
    return scope;
  }

  @Override
  public void close() {
    levels.forEach(Level::close);
  }

  /// The loop of one source.
  private final class Level {
    private final Source source;
    private final List<Expression> condition = new ArrayList<>();
    private final List<Expression> filter = new ArrayList<>();
    private @Nullable Rows<?, ?> rows;
    private @Nullable Iterator<?> elements;
    private boolean mayBeMissing;

    Level(Source source) {
      this.source = source;
    }

    /// Asks for the rows that go with those of the levels before.
    void open() {
      mayBeMissing = source.join() == Join.LEFT;
      if (source.elements() == null) {
        rows =
            tables.rows(
                source.table(),
                ofThis(Expressions.and(condition)),
                source.number() == 0 ? order : List.of());
      } else {
        elements = Evaluation.elements(source.elements(), scope).iterator();
      }
    }

    String explain() {
      Expression asked = Expressions.and(condition);
      String what = source.join() == Join.LEFT ? "left join " : source.number() == 0 ? "" : "join ";
      if (source.elements() != null) {
        return what + "elements of " + Expressions.text(source.elements());
      }
      return what
          + source.table()
          + " where "
          + Expressions.text(asked)
          + "\n"
          + tables.explain(source.table(), ofThis(asked), source.number() == 0 ? order : List.of());
    }

    /// A condition of this source alone: what it states of others becomes their values.
    private Expression ofThis(Expression expression) {
      return Expressions.replace(
          expression,
          part ->
              switch (part) {
                case Expression.Path path when isOther(path.source()) -> literal(part);
                case Expression.Path path when path.source() == source.number() ->
                    new Expression.Path(0, path.attribute());
                case Expression.KeyPath key when isOther(key.source()) -> literal(part);
                case Expression.KeyPath key -> new Expression.KeyPath(0, key.type());
                case Expression.Self self when isOther(self.source()) -> literal(part);
                case Expression.Self self when self.source() == source.number() ->
                    new Expression.Self(0);
                default -> null;
              });
    }

    private boolean isOther(int number) {
      return number < source.number();
    }

    private Expression literal(Expression part) {
      return new Expression.Literal(Evaluation.value(part, scope));
    }

    /// Moves to the next row that passes.
    boolean advance() {
      while (read()) {
        mayBeMissing = false;
        if (passes(filter)) {
          return true;
        }
      }
      if (mayBeMissing) {
        mayBeMissing = false;
        keys[source.number()] = null;
        values[source.number()] = null;
        return passes(filter);
      }
      return false;
    }

    private boolean read() {
      if (rows != null && rows.next()) {
        keys[source.number()] = rows.key();
        values[source.number()] = rows.value();
        return true;
      }
      while (elements != null && elements.hasNext()) {
        values[source.number()] = elements.next();
        if (passes(condition)) {
          return true;
        }
      }
      return false;
    }

    private boolean passes(List<Expression> conditions) {
      for (Expression each : conditions) {
        if (!Evaluation.isTrue(each, scope)) {
          return false;
        }
      }
      return true;
    }

    void close() {
      if (rows != null) {
        rows.close();
        rows = null;
      }
      elements = null;
    }
  }
}
