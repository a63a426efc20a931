package io.varve.query.internal.parse;

import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Sorting;
import io.varve.query.internal.grammar.QueryParser;
import io.varve.query.internal.statement.Catalog;
import io.varve.query.internal.statement.Statement;
import io.varve.query.internal.statement.Statement.Assignment;
import io.varve.query.internal.statement.Statement.Grouping;
import io.varve.query.internal.statement.Statement.Join;
import io.varve.query.internal.statement.Statement.Output;
import io.varve.query.internal.statement.Statement.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Makes statements of what the parser has read.
final class StatementBuilder {
  private final Sources sources;
  private final Names names = new Names(null);
  private final ExpressionBuilder rows;

  StatementBuilder(Catalog catalog) {
    this.sources = new Sources(catalog);
    this.rows = new ExpressionBuilder(names, sources, false);
  }

  Statement statement(QueryParser.StatementContext statement) {
    if (statement.updateStatement() != null) {
      return update(statement.updateStatement());
    }
    return statement.deleteStatement() != null
        ? delete(statement.deleteStatement())
        : select(statement.selectStatement());
  }

  private Statement update(QueryParser.UpdateStatementContext update) {
    addTable(update.source());
    List<Assignment> assignments = new ArrayList<>();
    Set<String> paths = new TreeSet<>();
    for (QueryParser.AssignmentContext assignment : update.assignment()) {
      Expression to = names.resolve(assignment.path());
      if (!(to instanceof Expression.Path path)) {
        throw Problems.at(assignment.path(), "the key of a row cannot be changed", "an attribute");
      }
      if (path.attribute().path().contains("[]")) {
        throw Problems.at(
            assignment.path(), "elements of an array cannot be set", "the path of a whole array");
      }
      if (!paths.add(path.attribute().path())) {
        throw Problems.at(assignment.path(), "an attribute is set twice", "another attribute");
      }
      QueryParser.ConditionContext value = assignment.condition();
      Expression constant =
          new PrimaryBuilder(rows, names, false).constant(value, path.attribute().type());
      assignments.add(
          new Assignment(
              path.attribute().path(),
              Literals.converted(
                  constant == null ? rows.condition(value) : constant,
                  path.attribute().type(),
                  value)));
    }
    return new Statement.Update(sources.found(), where(update.whereClause()), assignments);
  }

  private Statement delete(QueryParser.DeleteStatementContext delete) {
    addTable(delete.source());
    return new Statement.Delete(sources.found(), where(delete.whereClause()));
  }

  private void addTable(QueryParser.SourceContext source) {
    sources.add(names, source, Join.INNER);
  }

  private Expression where(QueryParser.@Nullable WhereClauseContext where) {
    return where == null ? Expression.Literal.TRUE : rows.truth(where.condition());
  }

  private Statement select(QueryParser.SelectStatementContext select) {
    addSources(select);
    Expression where = where(select.whereClause());
    ExpressionBuilder groups = new ExpressionBuilder(names, sources, true);
    List<Output> outputs = outputs(select.selectClause(), groups);
    List<Expression> keys = new ArrayList<>();
    if (select.groupClause() != null) {
      for (QueryParser.ConditionContext key : select.groupClause().condition()) {
        keys.add(rows.condition(key));
      }
    }
    Expression having =
        select.havingClause() == null
            ? Expression.Literal.TRUE
            : groups.truth(select.havingClause().condition());
    for (Output output : outputs) {
      names.addColumn(output.name(), output.value());
    }
    List<Sorting> order = order(select.orderClause(), groups);
    GroupRewriter rewriter = new GroupRewriter(keys, sources.found().size());
    boolean isGrouped =
        select.groupClause() != null
            || select.havingClause() != null
            || outputs.stream().anyMatch(output -> GroupRewriter.hasAggregate(output.value()))
            || order.stream().anyMatch(sorting -> GroupRewriter.hasAggregate(sorting.value()));
    @Nullable Grouping grouping = null;
    if (isGrouped) {
      outputs = rewriter.outputs(outputs, select);
      having = rewriter.rewritten(having, select);
      order = rewriter.order(order, select);
      grouping = new Grouping(List.copyOf(keys), rewriter.aggregates());
    }
    boolean isDistinct = select.selectClause() != null && select.selectClause().DISTINCT() != null;
    QueryParser.LimitClauseContext limit = select.limitClause();
    return new Statement.Select(
        sources.found(),
        where,
        outputs,
        isDistinct,
        grouping,
        having,
        order,
        limit == null || limit.LIMIT() == null ? null : bound(limit.value(0)),
        limit == null || limit.OFFSET() == null ? null : bound(limit.value().getLast()));
  }

  /// A limit or an offset, which no row can change.
  private Expression bound(QueryParser.ValueContext value) {
    Expression bound = rows.value(value);
    boolean isWhole = bound instanceof Expression.Literal(Long number) && number >= 0;
    if (!isWhole && !(bound instanceof Expression.Parameter)) {
      throw Problems.at(value, "no number of rows", "a whole number or a parameter");
    }
    return bound;
  }

  private void addSources(QueryParser.SelectStatementContext select) {
    if (select.fromClause() == null) {
      sources.addOnly(names, select);
      return;
    }
    sources.add(names, select.fromClause().source(), Join.INNER);
    for (QueryParser.JoinedContext joined : select.fromClause().joined()) {
      sources.add(names, joined.source(), joined.LEFT() == null ? Join.INNER : Join.LEFT);
      if (joined.condition() != null) {
        sources.on(rows.truth(joined.condition()));
      }
    }
  }

  private List<Output> outputs(
      QueryParser.@Nullable SelectClauseContext select, ExpressionBuilder groups) {
    List<Output> outputs = new ArrayList<>();
    if (select == null) {
      addSources(outputs);
      return outputs;
    }
    for (QueryParser.SelectionContext selection : select.selection()) {
      if (selection.STAR() != null) {
        addSources(outputs);
      } else {
        String name =
            selection.alias() == null
                ? Problems.written(selection.condition())
                : Names.unquoted(selection.alias().getText());
        outputs.add(new Output(name, groups.condition(selection.condition())));
      }
    }
    return outputs;
  }

  private void addSources(List<Output> outputs) {
    for (Source source : sources.found()) {
      outputs.add(new Output(source.alias(), sources.whole(source)));
    }
  }

  private static List<Sorting> order(
      QueryParser.@Nullable OrderClauseContext order, ExpressionBuilder groups) {
    List<Sorting> sortings = new ArrayList<>();
    if (order != null) {
      for (QueryParser.OrderItemContext item : order.orderItem()) {
        boolean isDescending = item.DESC() != null;
        boolean nullsFirst = item.NULLS() == null ? !isDescending : item.FIRST() != null;
        sortings.add(new Sorting(groups.condition(item.condition()), isDescending, nullsFirst));
      }
    }
    return sortings;
  }
}
