package io.varve.query;

import io.varve.ReadView;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Table;
import io.varve.Transaction;
import io.varve.Visibility;
import io.varve.query.internal.access.Ask;
import io.varve.query.internal.access.IndexDroppedException;
import io.varve.query.internal.access.Meter;
import io.varve.query.internal.access.ObjectSource;
import io.varve.query.internal.access.PartKind;
import io.varve.query.internal.access.RowStream;
import io.varve.query.internal.access.TableAccess;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Expressions;
import io.varve.query.internal.expr.Predicate;
import io.varve.query.internal.expr.Sorting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// The rows of a table that a condition is true of, in an order, or some of them. Nothing is read
/// before one of the methods asks that give an answer, and each of them reads again.
///
/// ```java
/// people.where(CITY.eq("Bonn").and(AGE.between(18, 30))).orderBy(AGE.desc()).limit(10).list();
/// ```
///
/// Streams read as they go, from one point in the commit order. Close one that is not read to its
/// end: it holds a snapshot. Sorting alone holds rows, within a bound of memory
/// ([QueryTable#sortingWithin]).
///
/// Immutable.
///
/// @param <K> the keys
/// @param <V> the values
/// @since 1.0
public final class Found<K, V> {
  /// Values of a list, however many.
  private static final Pattern CONSTANTS = Pattern.compile("\\?(?:, \\?)+");

  private final Asked<K, V> table;
  private final Ask ask;

  Found(Asked<K, V> table, Expression where) {
    this(table, Ask.of(where));
  }

  private Found(Asked<K, V> table, Ask ask) {
    this.table = table;
    this.ask = ask;
  }

  /// Those of these rows that another condition is true of.
  ///
  /// @throws IllegalStateException if these come after a page
  public Found<K, V> where(Condition<? super V> condition) {
    requireNotPaged("where");
    Expression both = Expressions.and(List.of(ask.where(), Predicate.of(condition)));
    return new Found<>(table, ask.where(both));
  }

  /// These rows in an order. Those that are equal in it come in no particular order.
  ///
  /// @throws IllegalStateException if these come after a page
  @SafeVarargs
  @SuppressWarnings("varargs") // they are read alone
  public final Found<K, V> orderBy(Order<? super V>... orders) {
    requireNotPaged("orderBy");
    List<Sorting> sortings =
        Arrays.stream(orders)
            .map(order ->
                new Sorting(
                    new Expression.Path(0, order.attribute()),
                    order.isDescending(),
                    order.nulls() == Nulls.FIRST))
            .toList();
    return new Found<>(table, ask.orderedBy(sortings));
  }

  /// The first of these rows.
  ///
  /// @param count how many at most
  public Found<K, V> limit(long count) {
    requireNotNegative("limit", count);
    return new Found<>(table, ask.within(ask.offset(), count));
  }

  /// These rows without the first ones. To go through an answer part by part, [#page()] takes less.
  ///
  /// @param count how many are left out
  public Found<K, V> offset(long count) {
    requireNotNegative("offset", count);
    return new Found<>(table, ask.within(count, ask.limit()));
  }

  private static void requireNotNegative(String what, long count) {
    if (count < 0) {
      throw new IllegalArgumentException(what + " is negative: " + what + "=" + count);
    }
  }

  /// The rows that come after a page of the same condition and order, whatever has changed since: a
  /// row that was not changed is on one page alone. The values in the condition may be others, as
  /// those of the time that it is now, but not `true`, `false` or null. State the condition and the
  /// order before this.
  ///
  /// @param token [Page#next()]
  /// @throws IllegalArgumentException if no page of this table with a condition of this form, and
  ///   in this order, ended there
  public Found<K, V> after(String token) {
    return new Found<>(
        table,
        ask.pagedAfter(PageToken.read(pagedQuery(), Objects.requireNonNull(token, "token"))));
  }

  /// What has to be the same for a page to be continued: the table, the form of the condition, and
  /// the order with the types of its values. Indexes may come and go.
  String pagedQuery() {
    StringBuilder text = new StringBuilder(access().table().name());
    text.append('\n').append(CONSTANTS.matcher(Expressions.text(ask.where())).replaceAll("?"));
    for (Sorting sorting : ask.order()) {
      text.append('\n').append(sorting);
      if (sorting.value() instanceof Expression.Path(_, var attribute)) {
        text.append(PartKind.of(attribute.type()).text());
      }
    }
    return text.toString();
  }

  private void requireNotPaged(String call) {
    if (ask.after() != null) {
      throw new IllegalStateException(
          "a page continues the query that it is of: call=" + call + "; call it before after");
    }
  }

  /// These rows, found by one index if it can find them, or by none if the name is empty. For tests
  /// and comparisons; the answer is the same.
  public Found<K, V> using(String index) {
    return new Found<>(table, ask.using(Objects.requireNonNull(index, "index")));
  }

  /// The first rows, as many as the limit allows, and where the next page begins. Rows that are
  /// equal in the order come by their keys, so that every row is on one page.
  ///
  /// @throws IllegalStateException if there is no limit
  public Page<K, V> page() {
    if (ask.limit() == Ask.ALL || ask.limit() == 0) {
      throw new IllegalStateException("a page needs a limit: state how many rows it has");
    }
    Ask oneMore = ask.pagedAfter(ask.after()).within(ask.offset(), ask.limit() + 1);
    return read(view -> {
      List<Map.Entry<K, V>> entries = new ArrayList<>();
      byte[] end = {};
      try (var rows = access().rows(view, oneMore, new Meter())) {
        while (rows.next()) {
          if (entries.size() == ask.limit()) {
            return new Page<>(entries, PageToken.write(pagedQuery(), end));
          }
          Map.Entry<K, V> entry = Map.entry(rows.key(), rows.value());
          entries.add(entry);
          if (entries.size() == ask.limit()) {
            end = TableAccess.position(ask, rows.keyBytes(), entry.getKey(), entry.getValue());
          }
        }
      }
      return new Page<>(entries, null);
    });
  }

  /// The values of these rows, read as the stream is.
  public Stream<V> stream() {
    return stream(ask, RowStream::value);
  }

  /// The keys and values of these rows.
  public Stream<Map.Entry<K, V>> entries() {
    return stream(ask, Found::entry);
  }

  /// The keys of these rows; values that no condition and no order asks for are not read.
  public Stream<K> keys() {
    return stream(ask.needingKeys(), RowStream::key);
  }

  /// The values of these rows as a list.
  public List<V> list() {
    return list(ask, RowStream::value);
  }

  /// The value of the first of these rows.
  public Optional<V> first() {
    List<V> first = list(firstAlone(), RowStream::value);
    return first.isEmpty() ? Optional.empty() : Optional.of(first.getFirst());
  }

  private <T> List<T> list(Ask asked, Function<RowStream<K, V>, T> reading) {
    RowStream<K, V> point = point(asked);
    return point != null
        ? list(point, reading)
        : read(view -> list(access().rows(view, asked, new Meter()), reading));
  }

  private static <K, V, T> List<T> list(RowStream<K, V> rows, Function<RowStream<K, V>, T> to) {
    List<T> list = new ArrayList<>();
    try (rows) {
      while (rows.next()) {
        list.add(to.apply(rows));
      }
    }
    return Collections.unmodifiableList(list);
  }

  /// The only row that may be asked for, as of now, or null if it takes a view to find it.
  private @Nullable RowStream<K, V> point(Ask asked) {
    return table.view() == null ? access().point(asked) : null;
  }

  private Ask firstAlone() {
    return ask.within(ask.offset(), Math.min(1, ask.limit()));
  }

  /// How many rows these are. Where an index answers the condition, they are counted in its inner
  /// pages, and none is read.
  public long count() {
    if (ask.after() != null) {
      try (Stream<K> keys = keys()) {
        return keys.count();
      }
    }
    return read(view -> access().count(view, ask, new Meter()));
  }

  /// Whether there are any.
  public boolean exists() {
    return !list(firstAlone().needingKeys(), RowStream::key).isEmpty();
  }

  /// Removes these rows: in the transaction of this table, or in one of its own. Objects of a map
  /// or a cache are removed there one by one, unless they have changed since they were found.
  ///
  /// @return how many there were
  public long delete() {
    ObjectSource<K> objects = access().objects();
    if (objects != null) {
      return list(ask, Found::entry).stream()
          .filter(row -> objects.remove(row.getKey(), row.getValue()))
          .count();
    }
    return change(transaction -> {
      List<byte[]> keys = in(transaction).list(ask.needingKeys(), RowStream::keyBytes);
      Space space = access().space(transaction);
      keys.forEach(key -> transaction.delete(space, key));
      return (long) keys.size();
    });
  }

  /// Replaces the values of these rows: in the transaction of this table, or in one of its own.
  /// Objects of a map or a cache are replaced there one by one, unless they have changed since they
  /// were found.
  ///
  /// @param change gives the new value; it may be called again if there is a conflict
  /// @return how many rows there were
  public long update(UnaryOperator<V> change) {
    ObjectSource<K> objects = access().objects();
    if (objects != null) {
      return list(ask, Found::entry).stream()
          .filter(row -> objects.replace(row.getKey(), row.getValue(), changed(row, change)))
          .count();
    }
    return change(transaction -> {
      List<Map.Entry<K, V>> rows = in(transaction).list(ask, Found::entry);
      Space space = access().space(transaction);
      Table<K, V> codecs = access().table();
      for (Map.Entry<K, V> row : rows) {
        byte[] value = codecs.values().encode(changed(row, change));
        transaction.put(space, codecs.keys().encode(row.getKey()), value);
      }
      return (long) rows.size();
    });
  }

  private static <V> V changed(Map.Entry<?, V> row, UnaryOperator<V> change) {
    return Objects.requireNonNull(change.apply(row.getValue()), "value");
  }

  private static <K, V> Map.Entry<K, V> entry(RowStream<K, V> row) {
    return Map.entry(row.key(), row.value());
  }

  /// Runs a change, which finds all rows before it changes any: what it changes might be found
  /// again.
  private long change(Function<Transaction, Long> change) {
    return switch (table.view()) {
      case Snapshot _ ->
          throw new UnsupportedOperationException("a snapshot does not change; use the table");
      case Transaction transaction -> change.apply(transaction);
      case null -> table.store().transactAndGet(change::apply);
    };
  }

  private Found<K, V> in(Transaction transaction) {
    return new Found<>(new Asked<>(table.store(), access(), transaction), ask);
  }

  /// These rows, and then what each commit changes of them, of which up to 16 MiB wait for the
  /// reader: [#live(Visibility, long)].
  public LiveQuery<K, V> live() {
    return live(Visibility.APPLIED, 16 << 20);
  }

  /// These rows, and then what each commit changes of them. Close it.
  ///
  /// @param visibility whether changes are reported when they are applied, or when they would
  ///   survive loss of power
  /// @param bytesMax of changes that wait for the reader, on the heap
  /// @throws UnsupportedOperationException if these rows come after a page, are read in a snapshot
  ///   or transaction, or are objects of a map
  /// @throws IllegalArgumentException if there is a limit or an offset, and they are more than
  ///   10,000 together
  public LiveQuery<K, V> live(Visibility visibility, long bytesMax) {
    if (ask.isPaged()) {
      throw new UnsupportedOperationException(
          "a live query follows no page: leave out after, and take limit and offset");
    }
    if (table.view() != null || access().objects() != null) {
      throw new UnsupportedOperationException(
          "a live query is of a table of the store: ask it neither in a snapshot or transaction,"
              + " nor of the objects of a map");
    }
    return LiveQuery.of(table.store(), access(), ask, visibility, bytesMax);
  }

  /// How these rows would be found now: the plan and the counts that decided it, as lines of text.
  public String explain() {
    return read(view -> access().plan(view, ask).toString());
  }

  /// Finds these rows, and gives the plan and what was read. Values that the plan does not need are
  /// not read.
  public String profile() {
    return read(view -> {
      Meter meter = new Meter();
      try (var rows = access().rows(view, ask, meter)) {
        while (rows.next()) {
          rows.keyBytes();
        }
        return rows.plan() + "\n" + meter;
      }
    });
  }

  private TableAccess<K, V> access() {
    return table.access();
  }

  private <T> T read(Function<ReadView, T> reading) {
    ReadView view = table.view();
    if (view != null) {
      return read(view, reading);
    }
    try (Snapshot snapshot = table.store().snapshot()) {
      return read(snapshot, reading);
    }
  }

  /// No caller has seen the rows yet.
  private static <T> T read(ReadView view, Function<ReadView, T> reading) {
    return IndexDroppedException.whole(() -> reading.apply(view));
  }

  private <T> Stream<T> stream(Ask asked, Function<RowStream<K, V>, T> reading) {
    RowStream<K, V> point = point(asked);
    if (point != null) {
      return point.next() ? Stream.of(reading.apply(point)) : Stream.empty();
    }
    ReadView view = table.view();
    Snapshot own = view == null ? table.store().snapshot() : null;
    try {
      var rows =
          access().rows(own != null ? own : Objects.requireNonNull(view), asked, new Meter());
      var answer = new Answer<>(rows, own, reading);
      return StreamSupport.stream(answer, false).onClose(answer::close);
    } catch (RuntimeException | Error e) {
      if (own != null) {
        own.close();
      }
      throw e;
    }
  }

  /// Rows as they are read. Closes what it reads from at their end.
  private static final class Answer<K, V, T> extends Spliterators.AbstractSpliterator<T> {
    private final RowStream<K, V> rows;
    private final @Nullable Snapshot own;
    private final Function<RowStream<K, V>, T> reading;
    private boolean isClosed;

    Answer(RowStream<K, V> rows, @Nullable Snapshot own, Function<RowStream<K, V>, T> reading) {
      super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
      this.rows = rows;
      this.own = own;
      this.reading = reading;
    }

    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
      if (isClosed || !rows.next()) {
        close();
        return false;
      }
      action.accept(reading.apply(rows));
      return true;
    }

    void close() {
      if (!isClosed) {
        isClosed = true;
        try (own) {
          rows.close();
        }
      }
    }
  }
}
