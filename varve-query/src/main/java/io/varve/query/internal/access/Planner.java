package io.varve.query.internal.access;

import io.varve.Range;
import io.varve.query.internal.access.Conjunct.About;
import io.varve.query.internal.access.Plan.Ordering;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Chooses how an answer is found: by what each index range has, counted, and what it takes to read
/// that ([PathCosts]). For one plan.
final class Planner {
  private static final double SORT_COST = 1.5;
  private static final double TOP_COST = 0.5;

  /// More ranges are not all counted.
  private static final int COUNTED_RANGES_MAX = 64;

  /// A path to so few rows is taken without a look at others.
  private static final int FEW_ROWS = 8;

  /// A plan that takes more is made again by what is in memory: about a millisecond. To sample the
  /// pages for one that takes less would take a part of that.
  private static final double COLD_COST_MIN = 4000;

  /// More rows are sorted, not kept in a heap.
  static final int TOP_ROWS_MAX = 1000;

  private final Ask ask;
  private final List<IndexForm> indexes;
  private final Predicate<IndexForm> isUsable;
  private final @Nullable KeyOrder keyOrder;
  private final Counts counts;
  private final List<Conjunct> conjuncts;
  private final List<Plan.Considered> considered = new ArrayList<>();
  private long tableRows = -1;
  private PathCosts costs;

  /// Counts what is to be read.
  interface Counts {
    long rows(Range range);

    long entries(IndexForm index, Range range);

    /// What it takes to get a row by its key, of [PathCosts].
    double get();

    /// What of the table is not in memory; nothing if rows are not read from its pages.
    ColdPages cold();

    /// What of an index is not in memory.
    ColdPages cold(IndexForm index);
  }

  /// @param indexes of the table
  /// @param isUsable whether one may be read: it has the entries of all rows
  Planner(
      Ask ask,
      List<IndexForm> indexes,
      Predicate<IndexForm> isUsable,
      @Nullable KeyOrder keyOrder,
      Counts counts) {
    this.ask = ask;
    this.indexes = indexes;
    this.isUsable = isUsable;
    this.keyOrder = keyOrder;
    this.counts = counts;
    this.costs = PathCosts.inMemory(counts.get());
    this.conjuncts = Conjuncts.of(ask.where());
  }

  private record Candidate(AccessPath path, OrderMatch match, double cost) {}

  Plan plan() {
    if (conjuncts.stream().anyMatch(Planner::isNever)) {
      return new Plan(
          new AccessPath.Nothing(),
          List.of(),
          Ordering.FORWARD,
          List.of(),
          false,
          false,
          List.of());
    }
    AccessPath one = oneRow();
    if (one != null) {
      boolean isLater = ask.after() != null && !ask.order().isEmpty();
      return plan(one, new OrderMatch(isLater ? Ordering.SORT : Ordering.FORWARD, List.of()));
    }
    List<AccessPath> paths = paths(conjuncts, true);
    if (!paths.isEmpty() && paths.getFirst().rows() <= FEW_ROWS) {
      AccessPath few = paths.getFirst();
      return plan(few, candidate(few, (double) few.rows()).match());
    }
    Candidate best = best(paths);
    if (best.cost() >= COLD_COST_MIN) {
      costs = coldCosts();
      best = best(paths);
    }
    return plan(best.path(), best.match());
  }

  /// The best of some paths, of an intersection of them, and of the scan.
  private Candidate best(List<AccessPath> paths) {
    List<AccessPath> all = new ArrayList<>(paths);
    if (ask.only() == null) {
      addIntersection(paths, all);
    }
    if (ask.only() == null || paths.isEmpty()) {
      all.add(new AccessPath.Keys(List.of(Range.all()), tableRows(), Set.of(), Set.of()));
    }
    double matches = matches(paths);
    considered.clear();
    Candidate best = null;
    for (AccessPath path : all) {
      Candidate next = candidate(path, matches);
      considered.add(new Plan.Considered(path, next.cost()));
      if (best == null || next.cost() < best.cost()) {
        best = next;
      }
    }
    if (best == null) {
      throw new IllegalStateException("there is always a scan");
    }
    return best;
  }

  private PathCosts coldCosts() {
    Map<String, ColdPages> known = new HashMap<>();
    return new PathCosts(
        counts.get(),
        counts.cold(),
        index -> known.computeIfAbsent(index.name(), _ -> counts.cold(index)));
  }

  /// A path by the only value of a unique index, or null if there is none.
  private @Nullable AccessPath oneRow() {
    for (IndexForm index : indexes) {
      boolean mayFind = index.isUnique() && isBounded(index, conjuncts);
      AccessPath.Entries entries = mayFind ? ranges(index, conjuncts) : null;
      if (entries != null && entries.isPoint()) {
        return counted(entries);
      }
    }
    return null;
  }

  /// The ranges of an index, or null if it cannot be read or lacks entries of rows.
  private AccessPath.@Nullable Entries ranges(IndexForm index, List<Conjunct> of) {
    return isUsable.test(index) ? IndexRanges.of(index, of) : null;
  }

  /// A path that finds the rows of which the condition is true and no others, each once, by ranges
  /// alone. Null if there is none.
  @Nullable AccessPath covering() {
    if (conjuncts.stream().anyMatch(Planner::isNever)) {
      return new AccessPath.Nothing();
    }
    if (conjuncts.isEmpty()) {
      return new AccessPath.Keys(List.of(Range.all()), 0, Set.of(), Set.of());
    }
    AccessPath keys = keys(conjuncts, false);
    if (keys != null && keys.answered().containsAll(conjuncts)) {
      return keys;
    }
    for (IndexForm index : indexes) {
      AccessPath.Entries entries = ranges(index, conjuncts);
      boolean isCovering =
          entries != null && !entries.mayRepeat() && entries.answered().containsAll(conjuncts);
      if (isCovering) {
        return entries;
      }
    }
    return null;
  }

  private static boolean isNever(Conjunct conjunct) {
    return conjunct.about() != About.OTHER && conjunct.wanted().isNothing();
  }

  private Plan plan(AccessPath path, OrderMatch match) {
    List<Conjunct> residual =
        conjuncts.stream().filter(conjunct -> !path.answered().contains(conjunct)).toList();
    boolean isCovering = isCovering(path) && isPathOrder(match.ordering());
    return new Plan(path, residual, match.ordering(), match.parts(), isCovering, false, considered);
  }

  /// Whether the entries of a path have all that is asked of the rows.
  private boolean isCovering(AccessPath path) {
    return ask.needed() != null
        && path instanceof AccessPath.Entries entries
        && !ask.isPaged()
        && !entries.mayRepeat()
        && !entries.isPoint()
        && EntryValues.have(entries.index(), ask.needed());
  }

  static boolean isPathOrder(Ordering ordering) {
    return ordering == Ordering.FORWARD || ordering == Ordering.BACKWARD;
  }

  /// All paths but intersections and the scan, the one with the fewest rows first.
  private List<AccessPath> paths(List<Conjunct> of, boolean forOrder) {
    List<AccessPath> paths = new ArrayList<>();
    AccessPath keys = keys(of, true);
    if (keys != null) {
      paths.add(keys);
    }
    for (IndexForm index : indexes) {
      AccessPath.Entries entries = mayServe(index, of, forOrder) ? ranges(index, of) : null;
      if (entries == null) {
        continue;
      }
      boolean bounds = !entries.used().isEmpty() || index.partial() != null;
      boolean isOrdered =
          forOrder
              && !ask.order().isEmpty()
              && OrderMatch.of(entries, ask, keyOrder != null) != null;
      if (bounds || isOrdered || isOnly(index) || (forOrder && isCovering(entries))) {
        paths.add(counted(entries));
      }
    }
    if (ask.only() == null) {
      for (Conjunct conjunct : of) {
        AccessPath union = conjunct.branches().isEmpty() ? null : union(conjunct);
        if (union != null) {
          paths.add(union);
        }
      }
    }
    paths.sort(Comparator.comparingLong(AccessPath::rows));
    return paths;
  }

  /// Whether an index may be worth a look: that saves making ranges of all the others.
  private boolean mayServe(IndexForm index, List<Conjunct> of, boolean forOrder) {
    boolean isAskedWhole = forOrder && (!ask.order().isEmpty() || ask.needed() != null);
    return isAskedWhole || index.partial() != null || isOnly(index) || isBounded(index, of);
  }

  /// Whether a conjunct is about the first part of an index, so that it may bound its entries.
  private static boolean isBounded(IndexForm index, List<Conjunct> of) {
    IndexPart first = index.parts().getFirst();
    String path = first.isMany() ? Conjuncts.elementsPath(first.path()) : first.path();
    for (Conjunct conjunct : of) {
      if (conjunct.path().equals(path)) {
        return true;
      }
    }
    return false;
  }

  private boolean isOnly(IndexForm index) {
    return index.name().equals(ask.only());
  }

  private @Nullable AccessPath keys(List<Conjunct> of, boolean isCounted) {
    if (ask.only() != null) {
      return null;
    }
    Wanted wanted = null;
    Set<Conjunct> used = identitySet();
    Set<Conjunct> answered = identitySet();
    for (Conjunct conjunct : of) {
      if (conjunct.about() == About.KEY) {
        wanted = wanted == null ? conjunct.wanted() : wanted.intersect(conjunct.wanted());
        used.add(conjunct);
        if (conjunct.wanted().isExact()) {
          answered.add(conjunct);
        }
      }
    }
    if (wanted == null || keyOrder == null) {
      return null;
    }
    List<Range> ranges = new ArrayList<>();
    for (Interval interval : wanted.intervals()) {
      Object low = interval.low();
      if (low != null && interval.isPoint()) {
        byte[] key = keyOrder.bytes(low);
        if (key != null) {
          ranges.add(Range.exactly(key));
        }
      } else {
        Range range = keyRange(keyOrder, interval);
        if (range == null) {
          return null;
        }
        ranges.add(range);
      }
    }
    long rows = isCounted ? count(ranges, counts::rows) : 0;
    return new AccessPath.Keys(ranges, rows, answered, used);
  }

  /// The keys of an interval, or null if no key equals a bound.
  private static @Nullable Range keyRange(KeyOrder order, Interval interval) {
    Range range = Range.all();
    if (interval.low() != null) {
      byte[] low = order.bytes(interval.low());
      if (low == null) {
        return null;
      }
      range = interval.lowIncluded() ? Range.atLeast(low) : Range.greaterThan(low);
    }
    if (interval.high() != null) {
      byte[] high = order.bytes(interval.high());
      if (high == null) {
        return null;
      }
      range = range.intersect(interval.highIncluded() ? Range.atMost(high) : Range.lessThan(high));
    }
    return range;
  }

  private AccessPath.Entries counted(AccessPath.Entries entries) {
    long rows =
        entries.arePoints()
            ? entries.ranges().size()
            : count(entries.ranges(), range -> counts.entries(entries.index(), range));
    return new AccessPath.Entries(
        entries.index(),
        entries.ranges(),
        entries.fixedParts(),
        entries.isKeySorted(),
        entries.mayRepeat(),
        entries.guaranteed(),
        rows,
        entries.answered(),
        entries.used());
  }

  private static long count(List<Range> ranges, ToLongFunction<Range> counting) {
    long count = 0;
    int counted = Math.min(ranges.size(), COUNTED_RANGES_MAX);
    for (Range range : ranges.subList(0, counted)) {
      count += counting.applyAsLong(range);
    }
    return counted == ranges.size() ? count : count * ranges.size() / counted;
  }

  private @Nullable AccessPath union(Conjunct conjunct) {
    List<AccessPath> paths = new ArrayList<>();
    long rows = 0;
    boolean isAnswered = true;
    for (List<Conjunct> branch : conjunct.branches()) {
      if (branch.stream().anyMatch(Planner::isNever)) {
        continue;
      }
      List<AccessPath> found = paths(branch, false);
      if (found.isEmpty()) {
        return null;
      }
      AccessPath best = found.getFirst();
      paths.add(best);
      rows += best.rows();
      isAnswered &= best.answered().containsAll(branch);
    }
    return new AccessPath.Union(
        paths, rows, isAnswered ? Set.of(conjunct) : Set.of(), Set.of(conjunct));
  }

  /// Joins the path with the fewest rows with those of other conjuncts, as long as that saves more
  /// rows than it takes.
  private void addIntersection(List<AccessPath> paths, List<AccessPath> all) {
    List<AccessPath> joined = new ArrayList<>();
    Set<Conjunct> used = identitySet();
    Set<Conjunct> answered = identitySet();
    double rows = 0;
    for (AccessPath path : paths) {
      if (path.used().isEmpty() || path.used().stream().anyMatch(used::contains)) {
        continue;
      }
      double share = path.rows() / (double) Math.max(1, tableRows());
      boolean saves = costs.gets(rows) - costs.gets(rows * share) > costs.keys(path, 1);
      if (joined.isEmpty() || saves) {
        rows = joined.isEmpty() ? path.rows() : rows * share;
        joined.add(path);
        used.addAll(path.used());
        answered.addAll(path.answered());
      }
    }
    if (joined.size() > 1) {
      all.add(new AccessPath.Intersection(joined, (long) Math.ceil(rows), answered, used));
    }
  }

  /// About how many rows the whole condition is true of, if its conjuncts do not depend on each
  /// other.
  private double matches(List<AccessPath> paths) {
    double matches = tableRows();
    Set<Conjunct> used = identitySet();
    for (AccessPath path : paths) {
      if (!path.used().isEmpty() && path.used().stream().noneMatch(used::contains)) {
        matches *= Math.min(1, path.rows() / (double) Math.max(1, tableRows()));
        used.addAll(path.used());
      }
    }
    return matches;
  }

  private Candidate candidate(AccessPath path, double matches) {
    OrderMatch match = OrderMatch.of(path, ask, keyOrder != null);
    if (match != null) {
      double share = Math.min(1, ask.rowsNeeded() / Math.max(1, matches));
      double cost = isCovering(path) ? costs.keys(path, share) : costs.rows(path, share);
      return new Candidate(path, match, cost);
    }
    boolean isTop = ask.rowsNeeded() <= TOP_ROWS_MAX;
    return new Candidate(
        path,
        new OrderMatch(isTop ? Ordering.TOP : Ordering.SORT, List.of()),
        costs.rows(path, 1)
            + Math.min(matches, (double) path.rows()) * (isTop ? TOP_COST : SORT_COST));
  }

  private long tableRows() {
    if (tableRows < 0) {
      tableRows = counts.rows(Range.all());
    }
    return tableRows;
  }

  private static Set<Conjunct> identitySet() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }
}
