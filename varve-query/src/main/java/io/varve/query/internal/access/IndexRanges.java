package io.varve.query.internal.access;

import io.varve.Range;
import io.varve.query.internal.access.Conjunct.About;
import io.varve.query.internal.access.IndexPart.Folding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Turns conjuncts into ranges of the entries of one index: the points that the first parts are to
/// have, in all combinations, and then intervals of the next part.
final class IndexRanges {
  /// More combinations of points are not made; the part is read over then.
  private static final int POINTS_MAX = 1000;

  private final IndexForm index;
  private final List<Conjunct> conjuncts;
  private final Set<Conjunct> answered = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Conjunct> used = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<String> guaranteed = new HashSet<>();
  private List<byte[]> prefixes = new ArrayList<>(List.of(new byte[0]));
  private final List<Range> ranges = new ArrayList<>();
  private int fixedParts;
  private int pointParts;
  private boolean hasIntervals;
  private boolean isManyFixed;

  private IndexRanges(IndexForm index, List<Conjunct> conjuncts) {
    this.index = index;
    this.conjuncts = conjuncts;
  }

  /// The ranges of an index, not counted yet, or null if it lacks entries of rows that are wanted.
  static AccessPath.@Nullable Entries of(IndexForm index, List<Conjunct> conjuncts) {
    var ranges = new IndexRanges(index, conjuncts);
    return ranges.hasAllRows() ? ranges.make() : null;
  }

  private boolean hasAllRows() {
    if (index.partial() != null && !isImplied(Conjuncts.of(index.partial()))) {
      return false;
    }
    for (IndexPart part : index.parts()) {
      boolean hasValue = isGuaranteed(part);
      if (hasValue) {
        guaranteed.add(part.path());
      }
      boolean hasEntry = part.isMany() ? isAsked(part) : true;
      if (!hasEntry || (part.codec().nulls() == NullOrder.ABSENT && !hasValue)) {
        return false;
      }
    }
    return true;
  }

  /// Whether the condition is true of no row that the condition of the index is not true of.
  private boolean isImplied(List<Conjunct> partial) {
    for (Conjunct needed : partial) {
      Conjunct same = null;
      for (Conjunct conjunct : conjuncts) {
        if (conjunct.expression().equals(needed.expression())) {
          same = conjunct;
        }
      }
      if (same != null) {
        answered.add(same);
      } else if (needed.about() != About.VALUE || !isWithin(needed)) {
        return false;
      }
    }
    return true;
  }

  private boolean isWithin(Conjunct needed) {
    Wanted wanted = wantedOf(About.VALUE, needed.path());
    return needed.wanted().isExact() && wanted != null && needed.wanted().contains(wanted);
  }

  private boolean isAsked(IndexPart part) {
    for (Conjunct conjunct : conjuncts) {
      if (isAboutElements(conjunct, part)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAboutElements(Conjunct conjunct, IndexPart part) {
    return conjunct.isAbout(About.ELEMENT, Conjuncts.elementsPath(part.path()));
  }

  private boolean isGuaranteed(IndexPart part) {
    for (Conjunct conjunct : conjuncts) {
      boolean isAbout =
          part.isMany()
              ? isAboutElements(conjunct, part)
              : conjunct.isAbout(About.VALUE, part.path())
                  || conjunct.isAbout(About.FOLDED, part.path());
      if (isAbout && !conjunct.wanted().nulls()) {
        return true;
      }
    }
    return false;
  }

  private AccessPath.Entries make() {
    for (IndexPart part : index.parts()) {
      Wanted wanted = wanted(part);
      if (wanted == null) {
        break;
      }
      if (!wanted.arePoints() || prefixes.size() * (long) wanted.pointCount() > POINTS_MAX) {
        addIntervals(part, wanted);
        hasIntervals = true;
        break;
      }
      addPoints(part, wanted);
    }
    if (!hasIntervals) {
      for (byte[] prefix : prefixes) {
        ranges.add(Range.prefix(prefix));
      }
    }
    boolean hasMany = index.parts().stream().anyMatch(IndexPart::isMany);
    return new AccessPath.Entries(
        index,
        disjoint(ranges),
        fixedParts,
        pointParts == index.parts().size(),
        hasMany && !isManyFixed,
        guaranteed,
        -1,
        answered,
        used);
  }

  /// The values of a part that the conjuncts ask for, or null if there is no bound.
  private @Nullable Wanted wanted(IndexPart part) {
    if (part.isMany()) {
      return element(part);
    }
    Wanted folded = part.folding() == Folding.CASE ? wantedOf(About.FOLDED, part.path()) : null;
    if (folded != null) {
      note(About.FOLDED, part.path(), false);
      return folded;
    }
    Wanted wanted = wantedOf(About.VALUE, part.path());
    if (wanted == null || (part.codec().hasStringKeys() && !wanted.arePoints())) {
      return null;
    }
    note(About.VALUE, part.path(), !part.codec().hasStringKeys());
    return wanted;
  }

  private @Nullable Wanted wantedOf(About about, String path) {
    Wanted all = null;
    for (Conjunct conjunct : conjuncts) {
      if (conjunct.isAbout(about, path)) {
        all = all == null ? conjunct.wanted() : all.intersect(conjunct.wanted());
      }
    }
    return all;
  }

  private void note(About about, String path, boolean isExact) {
    for (Conjunct conjunct : conjuncts) {
      if (conjunct.isAbout(about, path)) {
        used.add(conjunct);
        if (isExact && conjunct.wanted().isExact()) {
          answered.add(conjunct);
        }
      }
    }
  }

  /// Different elements may make two conjuncts true, so that only one of them bounds the part.
  private @Nullable Wanted element(IndexPart part) {
    Conjunct best = null;
    for (Conjunct conjunct : conjuncts) {
      if (isAboutElements(conjunct, part)
          && (!conjunct.wanted().nulls() || part.codec().isIndexed(null))
          && (best == null || (conjunct.wanted().arePoints() && !best.wanted().arePoints()))) {
        best = conjunct;
      }
    }
    if (best == null || (part.codec().hasStringKeys() && !best.wanted().arePoints())) {
      return null;
    }
    used.add(best);
    if (best.wanted().isExact() && !part.codec().hasStringKeys()) {
      answered.add(best);
    }
    isManyFixed = best.wanted().arePoints() && best.wanted().pointCount() == 1;
    return best.wanted();
  }

  private void addPoints(IndexPart part, Wanted wanted) {
    List<byte[]> longer = new ArrayList<>();
    for (byte[] prefix : prefixes) {
      for (Interval interval : wanted.intervals()) {
        longer.add(point(prefix, part, interval.low()));
      }
      if (wanted.nulls() && part.codec().isIndexed(null)) {
        longer.add(point(prefix, part, null));
      }
    }
    prefixes = longer;
    pointParts++;
    if (longer.size() == 1) {
      fixedParts = pointParts;
    }
  }

  private byte[] point(byte[] prefix, IndexPart part, @Nullable Object value) {
    var sink = new ByteSink().add(prefix);
    if (part.codec().write(value, sink) >= 0) {
      inexact(part);
    }
    return sink.toBytes();
  }

  /// Takes back that the part answers its conjuncts: values that were cut may be others.
  private void inexact(IndexPart part) {
    answered.removeIf(
        conjunct -> conjunct.isAbout(About.VALUE, part.path()) || isAboutElements(conjunct, part));
  }

  private void addIntervals(IndexPart part, Wanted wanted) {
    for (byte[] prefix : prefixes) {
      for (Interval interval : wanted.intervals()) {
        ranges.add(range(prefix, part, interval));
      }
      if (wanted.nulls() && part.codec().isIndexed(null)) {
        ranges.add(Range.prefix(point(prefix, part, null)));
      }
    }
    isManyFixed &= !part.isMany();
  }

  private Range range(byte[] prefix, IndexPart part, Interval interval) {
    boolean isDescending = part.codec().isDescending();
    Object first = isDescending ? interval.high() : interval.low();
    Object last = isDescending ? interval.low() : interval.high();
    boolean firstIncluded = isDescending ? interval.highIncluded() : interval.lowIncluded();
    boolean lastIncluded = isDescending ? interval.lowIncluded() : interval.highIncluded();
    var from = new ByteSink().add(prefix);
    if (first == null) {
      PartCodec.writeValuesStart(from);
    }
    boolean isFirstCut = first != null && writeBound(part, first, from);
    var to = new ByteSink().add(prefix);
    if (last == null) {
      PartCodec.writeValuesEnd(to);
    }
    boolean isLastCut = last != null && writeBound(part, last, to);
    return Range.of(
        first == null || firstIncluded || isFirstCut ? from.toBytes() : end(from.toBytes()),
        last == null || (!lastIncluded && !isLastCut) ? to.toBytes() : end(to.toBytes()));
  }

  /// Writes the value of a bound; of one that was cut only what all that begin alike have.
  private boolean writeBound(IndexPart part, Object value, ByteSink sink) {
    int cutLength = part.codec().write(value, sink);
    if (cutLength < 0) {
      return false;
    }
    sink.truncate(cutLength);
    inexact(part);
    return true;
  }

  /// The first bytes after all that begin with these.
  private static byte[] end(byte[] prefix) {
    return Objects.requireNonNull(Range.prefix(prefix).to(), "no part begins with byte 255 alone");
  }

  /// The ranges in order, with those joined that overlap: values that are different may be the same
  /// to an index that cuts or folds them.
  private static List<Range> disjoint(List<Range> ranges) {
    List<Range> sorted = new ArrayList<>(ranges);
    sorted.removeIf(Range::isEmpty);
    sorted.sort((left, right) -> Arrays.compareUnsigned(left.from(), right.from()));
    List<Range> joined = new ArrayList<>();
    for (Range range : sorted) {
      Range last = joined.isEmpty() ? null : joined.getLast();
      byte[] to = last == null ? null : last.to();
      if (last == null || (to != null && Arrays.compareUnsigned(to, range.from()) <= 0)) {
        joined.add(range);
      } else if (to != null) {
        byte[] other = range.to();
        boolean isLonger = other == null || Arrays.compareUnsigned(other, to) > 0;
        joined.set(
            joined.size() - 1,
            other == null
                ? Range.atLeast(last.from())
                : Range.of(last.from(), isLonger ? other : to));
      }
    }
    return List.copyOf(joined);
  }
}
