package io.varve.internal.file;

import io.varve.internal.page.Extent;
import java.util.function.ObjLongConsumer;

/// Extents met on a walk through the trees, for comparison with the accounts of space.
public final class ExtentSet {
  private final UnitMap units = new UnitMap();

  /// Makes a set without extents.
  public ExtentSet() {}

  /// Makes the set of all units of some runs: unit, count, unit, count and so on.
  public static ExtentSet ofRuns(long[] runs) {
    ExtentSet set = new ExtentSet();
    for (int i = 0; i < runs.length; i += 2) {
      set.units.add(runs[i], runs[i + 1]);
    }
    return set;
  }

  /// Whether all units of an extent are in this set.
  public boolean contains(long extent) {
    long end = Extent.unit(extent) + Extent.units(extent);
    return units.nextAbsent(Extent.unit(extent)) >= end;
  }

  /// Adds an extent.
  ///
  /// @return whether it overlaps with none that was added before
  public boolean add(long extent) {
    return units.add(Extent.unit(extent), Extent.units(extent));
  }

  /// The bytes that the extents take.
  public long bytes() {
    return units.size() * Extent.UNIT_BYTES;
  }

  /// Reports each run of units that is in one of this set and the live units, but not in both.
  ///
  /// @param report takes what is wrong and the first unit
  public void compareWith(Extents extents, ObjLongConsumer<String> report) {
    long[] live = extents.liveRuns();
    UnitMap accounted = new UnitMap();
    for (int i = 0; i < live.length; i += 2) {
      accounted.add(live[i], live[i + 1]);
    }
    long end = Math.max(units.end(), accounted.end());
    boolean same = true;
    for (long unit = 0; unit < end; unit++) {
      boolean used = units.contains(unit);
      boolean differs = used != accounted.contains(unit);
      if (differs && same) {
        report.accept(used ? "space in use that the accounts hold free" : "space leaked", unit);
      }
      same = !differs;
    }
  }
}
