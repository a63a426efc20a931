package io.varve.cache.internal.marshal;

import java.io.ObjectInputFilter;
import java.util.List;

/// The classes that objects may be made of, whether they are written or read: plain values of the
/// JDK, and what patterns name.
public final class AllowedClasses {
  /// Serializable classes of the JDK that hold values and lead to no code but `hashCode`, `equals`
  /// and `compareTo` of their parts.
  private static final String VALUES_OF_THE_JDK =
      "java.lang.Number;java.lang.Boolean;java.lang.Byte;java.lang.Character;java.lang.Short;"
          + "java.lang.Integer;java.lang.Long;java.lang.Float;java.lang.Double;java.lang.String;"
          + "java.lang.Enum;java.lang.Record;java.lang.Object;java.math.*;java.time.*;"
          + "java.time.chrono.*;java.util.*;java.net.URI;sun.util.calendar.ZoneInfo";

  private final ObjectInputFilter filter;

  /// Makes the classes that patterns name.
  ///
  /// @param patterns as those of [ObjectInputFilter.Config#createFilter]
  public AllowedClasses(List<String> patterns) {
    String all = String.join(";", patterns);
    this.filter =
        ObjectInputFilter.Config.createFilter(
            VALUES_OF_THE_JDK + ";" + (all.isEmpty() ? "" : all + ";") + "!*");
  }

  /// Whether objects of a class may be written; of an array its components are looked at.
  public boolean permits(Class<?> type) {
    return filter.checkInput(new Named(type)) != ObjectInputFilter.Status.REJECTED;
  }

  /// A filter for one object that is read from some bytes.
  ObjectInputFilter reading(int byteCount) {
    return ObjectInputFilter.merge(new ReadLimits(byteCount), filter);
  }

  /// What a filter is asked of a class that is written.
  private record Named(Class<?> serialClass) implements ObjectInputFilter.FilterInfo {
    @Override
    public long arrayLength() {
      return -1;
    }

    @Override
    public long depth() {
      return 1;
    }

    @Override
    public long references() {
      return 1;
    }

    @Override
    public long streamBytes() {
      return 0;
    }
  }
}
