package io.varve.query.internal.access;

import io.varve.IndexedSpace;
import io.varve.Range;
import io.varve.ReadView;
import io.varve.Space;
import io.varve.Table;
import io.varve.Transaction;
import io.varve.TransactionPoint;
import io.varve.query.Entity;
import io.varve.query.internal.access.Plan.Ordering;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Scope;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds rows of one table by its indexes. Thread-safe; what it gives is for one thread.
///
/// @param <K> the keys
/// @param <V> the values
public final class TableAccess<K, V> implements Access<K, V> {
  private final Table<K, V> table;
  private final Entity<V> entity;
  private final Space space;
  private final IndexedSpace indexed;
  private final List<KeptIndex> indexes;
  private final RowCodec<K, V> codec;
  private final @Nullable KeyOrder keyOrder;
  private final SortSettings settings;
  private final @Nullable ObjectSource<K> objects;
  private final @Nullable PointReads<K, V> points;

  /// A table whose values are in the store.
  ///
  /// @param indexes that are kept
  public TableAccess(
      Table<K, V> table,
      Entity<V> entity,
      IndexedSpace indexed,
      List<? extends KeptIndex> indexes,
      RowCodec<K, V> codec,
      SortSettings settings) {
    this.table = table;
    this.entity = entity;
    this.space = indexed.space();
    this.indexed = indexed;
    this.indexes = List.copyOf(indexes);
    this.codec = codec;
    this.keyOrder = KeyOrder.of(table.keys());
    this.settings = settings;
    this.objects = null;
    this.points = new PointReads<>(indexed, indexes, codec);
  }

  private TableAccess(TableAccess<K, V> of, ObjectSource<K> objects) {
    this.table = of.table;
    this.entity = of.entity;
    this.space = of.space;
    this.indexed = of.indexed;
    this.indexes = of.indexes;
    this.codec = of.codec;
    this.keyOrder = of.keyOrder;
    this.settings = of.settings;
    this.objects = objects;
    this.points = null;
  }

  /// This table, where the values of rows are objects that a map or a cache has. The space has
  /// their keys.
  public TableAccess<K, V> over(ObjectSource<K> source) {
    return new TableAccess<>(this, source);
  }

  @Override
  public @Nullable ObjectSource<K> objects() {
    return objects;
  }

  @Override
  public Table<K, V> table() {
    return table;
  }

  /// That of the indexes, though its name may be another one by now.
  @Override
  public Space space(ReadView view) {
    return space;
  }

  @Override
  public Entity<V> entity() {
    return entity;
  }

  @Override
  public Rows<K, V> rows(ReadView view, Request request) {
    return rows(view, ask(request), new Meter());
  }

  @Override
  public @Nullable Rows<K, V> point(Request request) {
    return point(ask(request));
  }

  /// The rows that are asked for, as of now, if the condition names the values of a unique index:
  /// so they are found without a view. Null if they have to be found by a plan.
  public @Nullable RowStream<K, V> point(Ask ask) {
    return points == null || ask.only() != null || ask.isPaged() || !ask.isFirstGiven()
        ? null
        : points.find(ask.where());
  }

  private static Ask ask(Request request) {
    return Ask.of(request.where())
        .orderedBy(request.order())
        .within(request.offset(), request.limit())
        .needing(request.needed());
  }

  @Override
  public String explain(ReadView view, Request request) {
    return plan(view, ask(request)).toString();
  }

  @Override
  public Estimate estimate(ReadView view, Request request) {
    AccessPath path = plan(view, ask(request)).path();
    return new Estimate(path.rows(), PathCosts.inMemory(getCost()).rows(path, 1));
  }

  @Override
  public long count(ReadView view, Expression where) {
    return count(view, Ask.of(where), new Meter());
  }

  @Override
  public SortSettings sorting() {
    return settings;
  }

  /// Its indexes.
  public IndexedSpace indexed() {
    return indexed;
  }

  /// Chooses a plan by what the view has.
  public Plan plan(ReadView view, Ask ask) {
    ReadableIndexes usable = usable(view, ask);
    return usable.read(() -> plan(usable, ask));
  }

  /// An object may have changed since it was indexed, so that each is compared with the whole
  /// condition.
  private Plan plan(ReadableIndexes usable, Ask ask) {
    Plan plan = planner(usable, ask).plan();
    return objects == null
        ? plan.readingByKey(isByKey(usable.view(), ask, plan))
        : plan.checking(Conjuncts.of(ask.where()));
  }

  /// Whether the rows of an index are read in the order of their keys, where the order of the
  /// answer allows it: neighbours share leaves. A stream of a transaction reads one row at a time,
  /// as each entry that it reads may be a conflict.
  private static boolean isByKey(ReadView view, Ask ask, Plan plan) {
    boolean isAnswerOrder = Planner.isPathOrder(plan.ordering());
    return plan.path() instanceof AccessPath.Entries entries
        && !plan.isCovering()
        && !entries.mayRepeat()
        && !entries.arePoints()
        && !(entries.isKeySorted() && entries.ranges().size() == 1)
        && !(isAnswerOrder
            && (view instanceof Transaction || ask.isPaged() || !ask.order().isEmpty()));
  }

  @SuppressWarnings("unchecked") // an entity of objects has their class
  private Class<V> objectType() {
    return (Class<V>) entity.type();
  }

  private ReadableIndexes usable(ReadView view, Ask ask) {
    List<KeptIndex> wanted =
        ask.only() == null
            ? indexes
            : indexes.stream().filter(index -> index.name().equals(ask.only())).toList();
    return new ReadableIndexes(indexed, wanted, view);
  }

  private Planner planner(ReadableIndexes usable, Ask ask) {
    Ask asked = objects == null ? ask : ask.needing(null); // an entry does not show what is there
    return new Planner(asked, usable.forms(), usable::isUsable, keyOrder, counts(usable));
  }

  private double getCost() {
    return objects == null ? PathCosts.ROW_GET : PathCosts.OBJECT_GET;
  }

  /// What a transaction counts for a plan is no read of it, and so no conflict.
  private Planner.Counts counts(ReadableIndexes usable) {
    ReadView view = usable.view();
    boolean isTransaction = view instanceof Transaction;
    return new Planner.Counts() {
      @Override
      public long rows(Range range) {
        return count(space, range);
      }

      @Override
      public long entries(IndexForm index, Range range) {
        return count(usable.entries(index), range);
      }

      @Override
      public double get() {
        return getCost();
      }

      @Override
      public ColdPages cold() {
        return objects == null ? ColdPages.of(space.statistics()) : ColdPages.NONE;
      }

      @Override
      public ColdPages cold(IndexForm index) {
        return ColdPages.of(usable.entries(index).statistics());
      }

      private long count(Space counted, Range range) {
        return isTransaction ? counted.count(range) : view.count(counted, range);
      }
    };
  }

  /// The rows that are asked for, in their order.
  ///
  /// @param meter counts what is read
  public PlannedRows<K, V> rows(ReadView view, Ask ask, Meter meter) {
    ReadableIndexes usable = usable(view, ask);
    Reading<K, V> reading = reading(usable, meter);
    return new PlannedRows<>(
        usable, () -> plan(usable, ask), plan -> present(reading, limited(reading, ask, plan)));
  }

  private RowStream<K, V> limited(Reading<K, V> reading, Ask ask, Plan plan) {
    return new LimitedRows<>(ordered(reading, ask, plan), ask.offset(), ask.limit());
  }

  private RowStream<K, V> present(Reading<K, V> reading, RowStream<K, V> rows) {
    TransactionPoint point = reading.point();
    return point == null || objects != null ? rows : new PresentRows<>(rows, reading, point);
  }

  private RowStream<K, V> ordered(Reading<K, V> reading, Ask ask, Plan plan) {
    Meter meter = reading.meter();
    var form = new SortForm(ask.order());
    byte[] after = ask.after();
    if (after != null) {
      form.require(after);
    }
    return switch (plan.ordering()) {
      case TOP ->
          TopRows.of(unordered(reading, ask, plan), form, after, (int) ask.rowsNeeded(), meter);
      case SORT ->
          SortedRows.of(
              unordered(reading, ask, plan),
              reading.values(),
              form,
              after,
              new KeySorter(settings, meter));
      case FORWARD, BACKWARD -> inPathOrder(reading, ask, plan, form);
    };
  }

  private Reading<K, V> reading(ReadableIndexes usable, Meter meter) {
    RowValues<K, V> values = objects == null ? codec : new HeldRows<>(codec, objectType(), objects);
    ReadView view = usable.view();
    TransactionPoint point = view instanceof Transaction transaction ? transaction.point() : null;
    return new Reading<>(view, point, space, usable::entries, values, settings, meter);
  }

  /// The rows of a plan, each once, in an order that does not matter.
  private RowSource<K, V> unordered(Reading<K, V> reading, Ask ask, Plan plan) {
    var runs = new PathRuns(reading);
    SortedRun run =
        plan.path() instanceof AccessPath.Entries entries
                && !entries.mayRepeat()
                && (!entries.arePoints() || plan.isCovering())
            ? runs.entries(entries.index(), entries.ranges(), false)
            : runs.sorted(plan.path());
    if (plan.isByKey()) {
      boolean isLimited = Planner.isPathOrder(plan.ordering()) && ask.limit() != Ask.ALL;
      run =
          new KeyBatches(
              run,
              settings,
              reading.meter(),
              rowsMax(ask, plan),
              isLimited,
              () -> space.store().statistics().cache().loads());
    }
    return source(reading, ask, plan, run);
  }

  /// How many rows of the path are asked for at most.
  private static long rowsMax(Ask ask, Plan plan) {
    boolean isAllGiven = Planner.isPathOrder(plan.ordering()) && plan.residual().isEmpty();
    return isAllGiven ? ask.rowsNeeded() : Ask.ALL;
  }

  private RowSource<K, V> source(Reading<K, V> reading, Plan plan, SortedRun run) {
    boolean hasValues = run instanceof KeyRun && objects == null;
    EntryRun covering = plan.isCovering() && run instanceof EntryRun entries ? entries : null;
    return new RowSource<>(reading, run, hasValues, covering, plan.residual());
  }

  /// The rows of a run whose keys alone are looked at, read in batches. Not in a transaction: it
  /// sees its own changes, made while the rows are read, and each row that it reads may be a
  /// conflict.
  private RowSource<K, V> source(Reading<K, V> reading, Ask ask, Plan plan, SortedRun run) {
    boolean isBatched =
        objects == null
            && !plan.isCovering()
            && !(run instanceof KeyRun)
            && !(reading.view() instanceof Transaction);
    if (!isBatched) {
      return source(reading, plan, run);
    }
    long rowsMax = rowsMax(ask, plan);
    return source(reading, plan, new RowsAhead(reading.view(), space, run, rowsMax));
  }

  private RowStream<K, V> inPathOrder(Reading<K, V> reading, Ask ask, Plan plan, SortForm form) {
    var runs = new PathRuns(reading);
    boolean isBackward = plan.ordering() == Ordering.BACKWARD;
    byte[] after = ask.after();
    if (plan.path() instanceof AccessPath.Keys keys) {
      List<Range> ranges =
          after == null ? keys.ranges() : beyond(keys.ranges(), form.key(after), isBackward);
      return source(reading, plan, runs.keys(ranges, isBackward));
    }
    if (plan.path() instanceof AccessPath.Entries entries
        && !entries.isPoint()
        && !ask.order().isEmpty()) {
      List<Range> ranges =
          after == null
              ? entries.ranges()
              : PageStart.ranges(entries, plan.orderParts(), form, after, isBackward);
      EntryRun run = runs.entries(entries.index(), ranges, isBackward);
      return new IndexOrderRows<>(reading, source(reading, plan, run), run, form, after);
    }
    if (!ask.isPaged()) {
      return unordered(reading, ask, plan);
    }
    SortedRun run = runs.sorted(plan.path());
    return source(reading, ask, plan, after == null ? run : new LaterRun(run, form.key(after)));
  }

  private static List<Range> beyond(List<Range> ranges, byte[] key, boolean isBackward) {
    Range rest = isBackward ? Range.lessThan(key) : Range.greaterThan(key);
    return ranges.stream()
        .map(range -> range.intersect(rest))
        .filter(range -> !range.isEmpty())
        .toList();
  }

  /// How many rows are asked for: by counts of pages where one path answers the whole condition.
  public long count(ReadView view, Ask ask, Meter meter) {
    ReadableIndexes usable = usable(view, ask);
    Ask all = ask.orderedBy(List.of()).within(0, Ask.ALL).needingKeys();
    boolean isCountable = objects == null || objects.isFollowed();
    long count =
        usable.read(() -> {
          AccessPath covering = isCountable ? planner(usable, all).covering() : null;
          return covering == null
              ? counted(reading(usable, meter), all, plan(usable, all))
              : countOf(usable, covering);
        });
    return Math.min(Math.max(0, count - ask.offset()), ask.limit());
  }

  private long countOf(ReadableIndexes usable, AccessPath covering) {
    return switch (covering) {
      case AccessPath.Keys keys -> sum(usable.view(), space, keys.ranges());
      case AccessPath.Entries entries ->
          sum(usable.view(), usable.entries(entries.index()), entries.ranges());
      case AccessPath.Nothing _, AccessPath.Intersection _, AccessPath.Union _ -> 0;
    };
  }

  private static long sum(ReadView view, Space counted, List<Range> ranges) {
    long sum = 0;
    for (Range range : ranges) {
      sum += view.count(counted, range);
    }
    return sum;
  }

  private long counted(Reading<K, V> reading, Ask ask, Plan plan) {
    long count = 0;
    try (RowStream<K, V> rows = unordered(reading, ask, plan)) {
      while (rows.next()) {
        count++;
      }
    }
    return count;
  }

  /// Where an answer in the order of an ask ends at a row: [Ask#after].
  public static byte[] position(Ask ask, byte[] keyBytes, Object key, Object value) {
    return new SortForm(ask.order()).position(Scope.of(key, value), keyBytes);
  }
}
