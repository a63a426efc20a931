package io.varve.query.internal.run;

import io.varve.query.Attribute;
import io.varve.query.Values;
import io.varve.query.internal.access.Access;
import io.varve.query.internal.access.Needed;
import io.varve.query.internal.access.Rows;
import io.varve.query.internal.access.SortSettings;
import io.varve.query.internal.expr.AggregateFunction;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Sorting;
import io.varve.query.internal.statement.Statement;
import io.varve.query.internal.statement.Statement.Output;
import io.varve.query.internal.statement.Statement.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Runs a query whose parameters are bound. What one table can do is left to its access: filter,
/// sort, cut and count. Joins, groups and distinct answers are made here.
public record Selection(TableReader tables) {
  /// The answers. Close them.
  public Answers run(Statement.Select select) {
    long limit = limit(select);
    long offset = offset(select);
    Answers counted = counted(select, limit, offset);
    if (counted != null) {
      return counted;
    }
    boolean isGrouped = select.grouping() != null;
    boolean comesInOrder = !isGrouped && isOfFirstSource(select.order());
    boolean isCutByTable = select.sources().size() == 1 && !isGrouped && !select.isDistinct();
    ScopeStream rows =
        rows(
            select,
            new Access.Request(
                Expression.Literal.TRUE,
                comesInOrder ? select.order() : List.of(),
                isCutByTable ? offset : 0,
                isCutByTable ? limit : Long.MAX_VALUE));
    if (select.grouping() != null) {
      rows = new Groups(rows, select.grouping(), sorting(select));
    }
    try {
      return new AnswerStream(
          rows,
          new AnswerStream.Work(
              select.having(),
              select.outputs(),
              select.isDistinct(),
              comesInOrder ? List.of() : select.order(),
              isCutByTable ? 0 : offset,
              isCutByTable ? Long.MAX_VALUE : limit,
              sorting(select)));
    } catch (RuntimeException | Error e) {
      rows.close();
      throw e;
    }
  }

  /// The answers as of now, if they are of one row at most, which its table finds without a view;
  /// null for others. Close them.
  public static @Nullable Answers point(Statement.Select select, Map<String, Access<?, ?>> tables) {
    Access<?, ?> table = tables.get(select.sources().getFirst().table());
    if (select.sources().size() > 1 || select.grouping() != null || table == null) {
      return null;
    }
    long limit = limit(select);
    long offset = offset(select);
    Rows<?, ?> rows = table.point(new Access.Request(select.where(), List.of(), offset, limit));
    return rows == null
        ? null
        : new AnswerStream(
            new TableStream(rows),
            new AnswerStream.Work(
                select.having(),
                select.outputs(),
                false,
                List.of(),
                0,
                Long.MAX_VALUE,
                SortSettings.DEFAULT));
  }

  /// What groups, distinct answers and sorts may take: that of the first table.
  private SortSettings sorting(Statement.Select select) {
    return tables.table(select.sources().getFirst().table()).sorting();
  }

  /// How the answers would be found now, as lines of text for people.
  public String explain(Statement.Select select) {
    List<String> lines = new ArrayList<>();
    boolean isGrouped = select.grouping() != null;
    List<Sorting> order =
        !isGrouped && isOfFirstSource(select.order()) ? select.order() : List.of();
    if (select.sources().size() == 1) {
      boolean isCut = !isGrouped && !select.isDistinct() && select.order().equals(order);
      String table = select.sources().getFirst().table();
      Access.Request request =
          new Access.Request(
              select.where(),
              order,
              isCut ? offset(select) : 0,
              isCut ? limit(select) : Long.MAX_VALUE,
              needed(select));
      lines.add(tables.table(table).explain(tables.view(), request));
      return String.join("\n", rest(select, order, lines));
    }
    try (JoinStream rows = new JoinStream(tables, select.sources(), select.where(), order)) {
      lines.addAll(rows.explain());
    }
    return String.join("\n", rest(select, order, lines));
  }

  /// Adds what is left to do with the rows.
  private static List<String> rest(
      Statement.Select select, List<Sorting> order, List<String> lines) {
    if (select.grouping() != null) {
      lines.add("groups, within the memory of sorts");
    }
    if (select.isDistinct()) {
      lines.add("distinct answers, within the memory of sorts");
    }
    if (!select.order().equals(order)) {
      lines.add("sorted, within the memory of sorts");
    }
    return lines;
  }

  private static boolean isOfFirstSource(List<Sorting> order) {
    return order.stream()
        .allMatch(sorting -> JoinStream.lastSource(sorting.value(), Integer.MAX_VALUE) == 0);
  }

  private ScopeStream rows(Statement.Select select, Access.Request request) {
    Source first = select.sources().getFirst();
    return select.sources().size() == 1
        ? new TableStream(
            tables
                .table(first.table())
                .rows(
                    tables.view(),
                    new Access.Request(
                        select.where(),
                        request.order(),
                        request.offset(),
                        request.limit(),
                        needed(select))))
        : new JoinStream(tables, select.sources(), select.where(), request.order());
  }

  /// What is asked of the rows of a query of one table: of groups, what they are made of.
  private static @Nullable List<Attribute<?, ?>> needed(Statement.Select select) {
    List<Expression> asked = new ArrayList<>();
    asked.add(select.where());
    if (select.grouping() != null) {
      asked.addAll(select.grouping().keys());
      asked.addAll(select.grouping().aggregates());
    } else {
      asked.add(select.having());
      select.outputs().forEach(output -> asked.add(output.value()));
      select.order().forEach(sorting -> asked.add(sorting.value()));
    }
    return Needed.by(asked);
  }

  /// The answer of a query for nothing but the count of rows of one table, which the table may know
  /// without reading them; null for others.
  private @Nullable Answers counted(Statement.Select select, long limit, long offset) {
    boolean isCount =
        select.sources().size() == 1
            && select.grouping() != null
            && select.grouping().keys().isEmpty()
            && select
                .grouping()
                .aggregates()
                .equals(List.of(new Expression.Aggregate(AggregateFunction.COUNT, false, null)))
            && select.having().equals(Expression.Literal.TRUE)
            && select.order().isEmpty()
            && select.outputs().stream()
                .map(Output::value)
                .toList()
                .equals(List.of(new Expression.Slot(0)))
            && limit > 0
            && offset == 0;
    return isCount
        ? new OneAnswer(
            tables.table(select.sources().getFirst().table()).count(tables.view(), select.where()))
        : null;
  }

  /// How many answers a query has at most; [Long#MAX_VALUE] without a limit.
  public static long limit(Statement.Select select) {
    return rows(select.limit(), Long.MAX_VALUE);
  }

  /// How many answers a query leaves out.
  public static long offset(Statement.Select select) {
    return rows(select.offset(), 0);
  }

  private static long rows(@Nullable Expression bound, long otherwise) {
    Object value = bound instanceof Expression.Literal(var literal) ? Values.normal(literal) : null;
    if (bound == null) {
      return otherwise;
    }
    if (value instanceof Long number && number >= 0) {
      return number;
    }
    throw new IllegalArgumentException("limit and offset are whole numbers that are not negative");
  }

  /// One answer of one column.
  private static final class OneAnswer implements Answers {
    private final Object value;
    private boolean isGiven;

    OneAnswer(Object value) {
      this.value = value;
    }

    @Override
    public boolean next() {
      boolean isFirst = !isGiven;
      isGiven = true;
      return isFirst;
    }

    @Override
    public @Nullable Object[] values() {
      return new @Nullable Object[] {value};
    }

    @Override
    public void close() {
      isGiven = true;
    }
  }
}
