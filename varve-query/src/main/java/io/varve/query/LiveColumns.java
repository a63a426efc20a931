package io.varve.query;

import io.varve.Watch;
import io.varve.query.LiveQuery.Answer;
import io.varve.query.LiveQuery.Change;
import io.varve.query.LiveQuery.Step;
import io.varve.query.internal.expr.Evaluation;
import io.varve.query.internal.expr.Scope;
import io.varve.query.internal.statement.Statement.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The columns that a query as text makes of rows.
final class LiveColumns<K, V> implements LiveRows<Object, Row> {
  private final LiveRows<K, V> rows;
  private final List<Output> outputs;
  private final List<String> columns;

  LiveColumns(LiveRows<K, V> rows, List<Output> outputs) {
    this.rows = rows;
    this.outputs = outputs;
    this.columns = outputs.stream().map(Output::name).toList();
  }

  @Override
  public Answer<Object, Row> start() {
    Answer<K, V> answer = rows.start();
    List<Map.Entry<Object, Row>> entries = new ArrayList<>();
    for (Map.Entry<K, V> entry : answer.entries()) {
      entries.add(Map.entry(entry.getKey(), row(entry.getKey(), entry.getValue())));
    }
    return new Answer<>(answer.commit(), List.copyOf(entries));
  }

  private Row row(K key, V value) {
    Scope scope = Scope.of(key, value);
    @Nullable Object[] values = new @Nullable Object[outputs.size()];
    for (int index = 0; index < values.length; index++) {
      values[index] = Evaluation.value(outputs.get(index).value(), scope);
    }
    return new Row(columns, values);
  }

  @Override
  public @Nullable Step<Object, Row> apply(Watch.Committed committed) {
    Step<K, V> step = rows.apply(committed);
    if (step == null) {
      return null;
    }
    List<Change<Object, Row>> changes = new ArrayList<>();
    for (Change<K, V> change : step.changes()) {
      V before = change.before();
      V after = change.after();
      Row old = before == null ? null : row(change.key(), before);
      Row present = after == null ? null : row(change.key(), after);
      if (!Objects.equals(old, present)) {
        changes.add(new Change<>(change.key(), old, present));
      }
    }
    return changes.isEmpty() ? null : new Step<>(step.commit(), List.copyOf(changes));
  }
}
