package io.varve.query;

import io.varve.ReadView;
import io.varve.Snapshot;
import io.varve.Transaction;
import io.varve.Visibility;
import io.varve.query.internal.access.Access;
import io.varve.query.internal.access.Ask;
import io.varve.query.internal.access.IndexDroppedException;
import io.varve.query.internal.access.TableAccess;
import io.varve.query.internal.entity.NearestName;
import io.varve.query.internal.expr.Binding;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Expressions;
import io.varve.query.internal.expr.Now;
import io.varve.query.internal.run.Answers;
import io.varve.query.internal.run.BatchedChanges;
import io.varve.query.internal.run.Bound;
import io.varve.query.internal.run.Changes;
import io.varve.query.internal.run.Selection;
import io.varve.query.internal.run.TableReader;
import io.varve.query.internal.statement.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// A query as text, understood, with values for its parameters and what it reads from
/// ([Queries#query(String)]).
///
/// Immutable: what sets a value gives another query, so one may be kept and used by many threads.
///
/// - **What it reads:** one snapshot, taken when it runs, unless it is given another view. Inside a
///   transaction of the store that is given by [#in(ReadView)], it sees that transaction's writes.
/// - **Errors:** a value that an operator does not take is an [IllegalArgumentException].
///
/// @since 1.0
public final class Query {
  private final Queries queries;
  private final Statement statement;
  private final Set<String> names;
  private final Map<String, @Nullable Object> parameters;
  private final @Nullable ReadView view;

  Query(
      Queries queries,
      Statement statement,
      Set<String> names,
      Map<String, @Nullable Object> parameters,
      @Nullable ReadView view) {
    this.queries = queries;
    this.statement = statement;
    this.names = names;
    this.parameters = parameters;
    this.view = view;
  }

  /// This query with a value for the parameter `:name`. A collection is a list for `in`.
  ///
  /// @throws IllegalArgumentException if the query has no such parameter; names the nearest one
  public Query set(String name, @Nullable Object value) {
    check(Objects.requireNonNull(name, "name"));
    Map<String, @Nullable Object> more = new HashMap<>(parameters);
    more.put(name, value);
    return new Query(queries, statement, names, more, view);
  }

  /// This query with a value for the parameter `?1`, `?2`, and so on.
  public Query set(int number, @Nullable Object value) {
    return set(Integer.toString(number), value);
  }

  /// This query with values for its parameters `?1`, `?2`, and so on. A value may be null, the list
  /// may not: `with((Object) null)` sets `?1` to null.
  public Query with(@Nullable Object... values) {
    Objects.requireNonNull(values, "values; for one value that is null use set(1, null)");
    Map<String, @Nullable Object> more = new HashMap<>(parameters);
    for (int index = 0; index < values.length; index++) {
      check(Integer.toString(index + 1));
      more.put(Integer.toString(index + 1), values[index]);
    }
    return new Query(queries, statement, names, more, view);
  }

  private void check(String name) {
    if (!names.contains(name)) {
      String nearest = NearestName.of(name, names);
      throw new IllegalArgumentException(
          "no such parameter: name=" + name + (nearest == null ? "" : ", nearest=" + nearest));
    }
  }

  /// This query, reading a snapshot or being a part of a transaction.
  public Query in(ReadView of) {
    return new Query(queries, statement, names, parameters, Objects.requireNonNull(of, "of"));
  }

  /// The names of the columns of the answers.
  ///
  /// @throws IllegalArgumentException if the query has no answers, as an update has none
  public List<String> columns() {
    return select().outputs().stream().map(Statement.Output::name).toList();
  }

  /// Whether the query changes rows, and has no answers.
  public boolean isChange() {
    return !(statement instanceof Statement.Select);
  }

  /// All answers.
  public List<Row> list() {
    return whole(UnaryOperator.identity());
  }

  /// All answers of a query of one column: objects, or values of that type.
  ///
  /// @throws IllegalArgumentException if there are more columns, or a value is not of the type
  public <T> List<@Nullable T> list(Class<T> type) {
    return this.<@Nullable T>whole(value(type));
  }

  /// All answers, which are found again if an index is dropped that they are found by.
  private <T extends @Nullable Object> List<T> whole(Function<Row, T> value) {
    return IndexDroppedException.whole(() -> {
      List<T> values = new ArrayList<>();
      each(row -> values.add(value.apply(row)));
      return values;
    });
  }

  /// The first answer.
  public Optional<Row> first() {
    return IndexDroppedException.whole(() -> {
      try (Stream<Row> rows = stream()) {
        return rows.findFirst();
      }
    });
  }

  /// The first answer of a query of one column, if there is one and it is not null.
  public <T> Optional<T> first(Class<T> type) {
    return first().map(value(type));
  }

  /// Gives each answer to a consumer, one after the other.
  public void each(Consumer<? super Row> consumer) {
    try (Stream<Row> rows = stream()) {
      rows.forEachOrdered(consumer);
    }
  }

  /// The answers as they are found. Close the stream: it keeps a snapshot open.
  public Stream<Row> stream() {
    Statement.Select select = (Statement.Select) bound(select());
    List<String> columns = columns();
    Answers point = view == null ? Selection.point(select, queries.tables()) : null;
    if (point != null) {
      return StreamSupport.stream(rows(point, columns), false).onClose(point::close);
    }
    @Nullable Snapshot own = view == null ? queries.store().snapshot() : null;
    Answers answers;
    try {
      ReadView from = view == null ? Objects.requireNonNull(own) : view;
      answers = new Selection(new TableReader(from, queries.tables())).run(select);
    } catch (RuntimeException | Error e) {
      close(own);
      throw e;
    }
    return StreamSupport.stream(rows(answers, columns), false)
        .onClose(() -> {
          try (answers) {
            close(own);
          }
        });
  }

  /// The answers of a query of one column as they are found. Close the stream.
  public <T> Stream<@Nullable T> stream(Class<T> type) {
    Function<Row, @Nullable T> value = value(type); // before a snapshot is open
    return stream().map(value);
  }

  /// The answers, and then what each commit changes of them, of which up to 16 MiB wait for the
  /// reader: [#live(Visibility, long)].
  public LiveQuery<Object, Row> live() {
    return live(Visibility.APPLIED, 16 << 20);
  }

  /// The answers, and then what each commit changes of them, by the keys of their rows. A change
  /// that no column shows is not reported. Close it.
  ///
  /// Parameters keep the values that they have now, and so does `local date` and the like.
  ///
  /// A query has no live form if it has a join, groups or distinct answers, or is asked in a
  /// snapshot or transaction. Nor has one of a table that no [QueryTable] opened, or of the objects
  /// of a map.
  ///
  /// @param visibility whether changes are reported when they are applied, or when they would
  ///   survive loss of power
  /// @param bytesMax of changes that wait for the reader, on the heap
  /// @throws UnsupportedOperationException if the query has no live form
  /// @throws IllegalArgumentException if the query has no answers, as an update; or has a limit or
  ///   an offset, and they are more than 10,000 together
  public LiveQuery<Object, Row> live(Visibility visibility, long bytesMax) {
    Statement.Select select = (Statement.Select) bound(select());
    if (select.sources().size() > 1 || select.grouping() != null || select.isDistinct()) {
      throw new UnsupportedOperationException(
          "a live query has rows of one table: leave out join, group by, distinct, and functions"
              + " of groups as count");
    }
    Access<?, ?> access = queries.tables().get(select.sources().getFirst().table());
    if (view != null || !(access instanceof TableAccess<?, ?> table) || table.objects() != null) {
      throw new UnsupportedOperationException(
          "a live query is of a table of the store that a QueryTable opened: ask it neither in a"
              + " snapshot or transaction, nor of the objects of a map");
    }
    Expression where = Expressions.and(List.of(select.where(), select.having()));
    Ask ask =
        Ask.of(where)
            .orderedBy(select.order())
            .within(Selection.offset(select), Selection.limit(select));
    return LiveQuery.of(queries.store(), table, ask, select.outputs(), visibility, bytesMax);
  }

  /// Runs a query that changes rows: as a part of the transaction that it was given, or else as
  /// one. Objects of a map or a cache are changed there one by one, unless they have changed since
  /// they were found.
  ///
  /// @return how many rows it changed or removed
  /// @throws IllegalArgumentException if it changes nothing, or a value does not fit the object
  public long update() {
    Statement bound = bound(statement);
    if (view == null && queries.isOfObjects(bound)) {
      try (Snapshot snapshot = queries.store().snapshot()) {
        return new Changes(snapshot, queries.tables()).run(bound);
      }
    }
    if (view instanceof Transaction transaction) {
      return new Changes(transaction, queries.tables()).run(bound);
    }
    if (view != null) {
      throw new IllegalArgumentException("a snapshot cannot be changed; give a transaction");
    }
    return queries
        .store()
        .transactAndGet(transaction -> new Changes(transaction, queries.tables()).run(bound));
  }

  /// Runs a query that changes rows in transactions of so many rows each, one after the other. So
  /// neither the rows nor the pages that they are in have to fit in memory together, as those of
  /// [#update()] have to. It is no change that others see as one: a call that ends by an exception
  /// or a crash has changed some of the rows.
  ///
  /// The rows are those of a snapshot, which is open until the end. Each is changed once at most,
  /// and only if the condition is still true of it. Objects of a map or a cache are changed as by
  /// [#update()].
  ///
  /// @param rowsMax of one transaction: some hundred to some thousand
  /// @return how many rows it changed or removed
  /// @throws IllegalArgumentException as [#update()]; or if the number is not positive, or the
  ///   query was given a view
  /// @throws IllegalStateException if an index by which it finds the rows is dropped concurrently:
  ///   some may be changed then, and the message has how many
  /// @throws io.varve.UniqueIndexException if rows had equal values of a unique index after one of
  ///   the transactions, though they might not after the last
  public long updateInBatches(int rowsMax) {
    if (rowsMax < 1) {
      throw new IllegalArgumentException("no rows in a transaction: rowsMax=" + rowsMax);
    }
    if (view != null) {
      throw new IllegalArgumentException(
          "a query in a view has no transactions of its own; ask it without, or call update()");
    }
    Statement bound = bound(statement);
    Access<?, ?> access = queries.tables().get(bound.sources().getFirst().table());
    return access == null || bound instanceof Statement.Select || access.objects() != null
        ? update()
        : new BatchedChanges<>(queries.store(), access).run(bound, rowsMax);
  }

  /// How the answers, or the rows to change, would be found now: for each table the plan and the
  /// counts that decided it, as lines of text. A table that is joined is explained for the first
  /// row of those before it.
  public String explain() {
    Statement bound = bound(statement);
    Statement.Select select =
        bound instanceof Statement.Select asked
            ? asked
            : new Statement.Select(
                bound.sources(),
                bound.where(),
                List.of(),
                false,
                null,
                Expression.Literal.TRUE,
                List.of(),
                null,
                null);
    if (view != null) {
      return new Selection(new TableReader(view, queries.tables())).explain(select);
    }
    try (Snapshot snapshot = queries.store().snapshot()) {
      return new Selection(new TableReader(snapshot, queries.tables())).explain(select);
    }
  }

  private Statement.Select select() {
    if (statement instanceof Statement.Select select) {
      return select;
    }
    throw new IllegalArgumentException("the query has no answers; run it by update()");
  }

  private Statement bound(Statement unbound) {
    if (names.isEmpty()) {
      return unbound;
    }
    Map<String, @Nullable Object> values = parameters;
    if (Now.isOneOf(names)) {
      values = new HashMap<>(parameters);
      Now.set(values, queries.clock());
    }
    return Bound.to(new Binding(values)).of(unbound);
  }

  private static void close(@Nullable Snapshot snapshot) {
    if (snapshot != null) {
      snapshot.close();
    }
  }

  private static Spliterator<Row> rows(Answers answers, List<String> columns) {
    return new Spliterators.AbstractSpliterator<>(
        Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL) {
      @Override
      public boolean tryAdvance(Consumer<? super Row> action) {
        boolean isFound = answers.next();
        if (isFound) {
          action.accept(new Row(columns, answers.values()));
        }
        return isFound;
      }
    };
  }

  private <T> Function<Row, @Nullable T> value(Class<T> type) {
    Objects.requireNonNull(type, "type");
    if (columns().size() != 1) {
      throw new IllegalArgumentException(
          "the query has several columns; take its rows: columns=" + columns());
    }
    return row -> {
      Object value = row.get(0);
      if (value != null && !type.isInstance(value)) {
        throw new IllegalArgumentException(
            "a value is of another type: expected="
                + type.getName()
                + ", found="
                + value.getClass().getName());
      }
      return type.cast(value);
    };
  }
}
