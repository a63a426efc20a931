package io.varve.query.internal.run;

import io.varve.query.Values;
import io.varve.query.internal.access.Access;
import io.varve.query.internal.access.JoinTable;
import io.varve.query.internal.access.Rows;
import io.varve.query.internal.access.SortSettings;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Joins sources: for each row of the sources before it, a source is asked for the rows that go
/// with it. That is a loop, which uses its indexes, or a search in a hash table of its rows, which
/// are read once. Rows come in the order of the first source.
///
/// - (WAY-1) A source is hashed if its condition states an equality with sources before it: after
///   as many loops as would cost what the hash table costs, and one at the least. So at most twice
///   as much is read as by the better way, however many rows the sources before have. An answer
///   that ends in the first loop, as by a limit, reads no more than that.
/// - (WAY-2) A transaction hashes only what loops would read as well: each row that it reads may be
///   a conflict.
/// - (WAY-3) The whole condition is asked of each row that a hash table gives.
final class JoinStream implements ScopeStream {
  /// What it takes to ask a source once, on top of its rows, where a row in a scan takes one.
  private static final double ASK_COST = 4;

  private static final double HASH_COST = 1;

  /// Loops of so little are not compared with anything.
  private static final double LITTLE_COST = 256;

  private final TableReader tables;
  private final List<Sorting> order; // of the first source
  private final SortSettings settings;
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
    this.settings = tables.table(sources.getFirst().table()).sorting();
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
      level.findEqualities();
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
    for (int index = 0; index < levels.size(); index++) {
      Level level = levels.get(index);
      lines.add(level.explain());
      level.openLoop();
      boolean isFound = level.advance();
      while (isFound && index + 1 < levels.size() && levels.get(index + 1).isWithNull()) {
        isFound = level.advance();
      }
      if (!isFound) {
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
    try {
      levels.forEach(Level::close);
    } finally {
      levels.forEach(Level::drop);
    }
  }

  /// How the rows of a source are found.
  ///
  /// @param loops after which a hash table is made
  /// @param hashed what is read for that, or null if it is never made
  private record Way(long loops, Access.@Nullable Estimate hashed) {}

  /// The loop of one source.
  private final class Level {
    private final Source source;
    private final List<Expression> condition = new ArrayList<>();
    private final List<Expression> filter = new ArrayList<>();
    private @Nullable Rows<?, ?> rows;
    private @Nullable Iterator<?> elements;
    private @Nullable Equalities equalities;
    private @Nullable Way way;
    private @Nullable JoinTable<?, ?> hashed;
    private long loops;
    private boolean mayBeMissing;

    Level(Source source) {
      this.source = source;
    }

    void findEqualities() {
      boolean isJoined = source.number() > 0 && source.elements() == null;
      equalities = isJoined ? Equalities.of(condition, source.number()) : null;
    }

    /// Asks for the rows that go with those of the levels before.
    void open() {
      mayBeMissing = source.join() == Join.LEFT;
      Equalities equal = equalities;
      if (equal == null) {
        openLoop();
      } else if (isWithNull()) {
        rows = null; // null equals nothing
      } else if (way().hashed() != null && loops >= way().loops()) {
        rows = hashed(equal).find(values(equal));
      } else {
        loops++;
        openLoop();
      }
    }

    private void openLoop() {
      mayBeMissing = source.join() == Join.LEFT;
      if (source.elements() == null) {
        rows = tables.rows(source.table(), ofThis(Expressions.and(condition)), order());
      } else {
        elements = Evaluation.elements(source.elements(), scope).iterator();
      }
    }

    private List<Sorting> order() {
      return source.number() == 0 ? order : List.of();
    }

    /// Whether null is one of the values of rows before that have to be equal to those of this one.
    boolean isWithNull() {
      Equalities equal = equalities;
      if (equal != null) {
        for (Object value : values(equal)) {
          if (value == null) {
            return true;
          }
        }
      }
      return false;
    }

    /// What the values of the row that is looked for have to equal.
    private @Nullable Object[] values(Equalities equal) {
      @Nullable Object[] values = new @Nullable Object[equal.ofOthers().size()];
      for (int index = 0; index < values.length; index++) {
        values[index] = Values.normal(Evaluation.value(equal.ofOthers().get(index), scope));
      }
      return values;
    }

    private JoinTable<?, ?> hashed(Equalities equal) {
      JoinTable<?, ?> made = hashed;
      if (made == null) {
        made =
            tables.joinTable(
                source.table(),
                ofThis(Expressions.and(equal.alone())),
                equal.ofSource().stream().map(this::ofThis).toList(),
                settings);
        hashed = made;
      }
      return made;
    }

    private Way way() {
      Way chosen = way;
      if (chosen == null) {
        chosen = choose();
        way = chosen;
      }
      return chosen;
    }

    /// Compares loops with a hash table, by what was counted (WAY-1).
    private Way choose() {
      Access.Estimate loop = estimate(condition);
      double loopCost = loop.cost() + ASK_COST;
      double before = source.number() == 1 ? levels.getFirst().rowsAtMost() : Long.MAX_VALUE;
      Equalities equal = equalities;
      if (equal == null || before * loopCost <= LITTLE_COST) {
        return new Way(0, null);
      }
      Access.Estimate all = estimate(equal.alone());
      double loopsMax = (all.cost() + all.rows() * HASH_COST) / loopCost;
      boolean mayHash = !tables.isTransaction() || loop.cost() >= all.cost(); // (WAY-2)
      if (!mayHash || before <= loopsMax) {
        return new Way(0, null);
      }
      return new Way(Math.max(1, (long) loopsMax), all);
    }

    private double rowsAtMost() {
      return source.elements() == null ? estimate(condition).rows() : Long.MAX_VALUE;
    }

    private Access.Estimate estimate(List<Expression> conditions) {
      return tables.estimate(source.table(), ofThis(Expressions.and(conditions)), order());
    }

    String explain() {
      String what = source.join() == Join.LEFT ? "left join " : source.number() == 0 ? "" : "join ";
      if (source.elements() != null) {
        return what + "elements of " + Expressions.text(source.elements());
      }
      List<String> lines = new ArrayList<>();
      lines.add(what + source.table() + " where " + Expressions.text(Expressions.and(condition)));
      Equalities equal = equalities;
      Way chosen = equal == null || isWithNull() ? new Way(0, null) : way();
      Access.Estimate read = chosen.hashed();
      if (equal == null || read == null) {
        lines.add(plan(condition));
        return String.join("\n", lines);
      }
      lines.add(plan(condition));
      lines.add(chosen.loops() == 1 ? "after a loop:" : "after " + chosen.loops() + " loops:");
      lines.add(
          equal.ofSource().stream()
              .map(Expressions::text)
              .collect(Collectors.joining(", ", "by a hash table of ", ": rows=" + read.rows())));
      lines.add(plan(equal.alone()));
      return String.join("\n", lines);
    }

    private String plan(List<Expression> conditions) {
      return tables.explain(source.table(), ofThis(Expressions.and(conditions)), order());
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
                    new Expression.Self(0, self.type());
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
      while (rows != null && rows.next()) {
        keys[source.number()] = rows.key();
        values[source.number()] = rows.value();
        if (hashed == null || passes(condition)) {
          return true; // rows of a loop are those of the condition; others are asked (WAY-3)
        }
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

    /// Closes the hash table.
    void drop() {
      if (hashed != null) {
        hashed.close();
        hashed = null;
      }
    }
  }
}
