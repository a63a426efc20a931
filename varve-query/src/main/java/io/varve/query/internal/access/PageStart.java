package io.varve.query.internal.access;

import io.varve.Range;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds where an answer in the order of an index is continued, so that no entry before is read.
final class PageStart {
  private PageStart() {}

  /// The ranges of what may come after a position. Where a value of it was cut they begin at the
  /// first that begins alike.
  static List<Range> ranges(
      AccessPath.Entries entries,
      List<Integer> orderParts,
      SortForm form,
      byte[] after,
      boolean isBackward) {
    List<@Nullable Object> values = form.values(after);
    if (values == null || entries.ranges().isEmpty()) {
      return entries.ranges();
    }
    Range rest = rest(entries, orderParts, form, after, values, isBackward);
    return entries.ranges().stream()
        .map(range -> range.intersect(rest))
        .filter(range -> !range.isEmpty())
        .toList();
  }

  private static Range rest(
      AccessPath.Entries entries,
      List<Integer> orderParts,
      SortForm form,
      byte[] after,
      List<@Nullable Object> values,
      boolean isBackward) {
    IndexForm index = entries.index();
    byte[] from = entries.ranges().getFirst().from();
    var fixed = new PartReader(from);
    for (IndexPart part : index.parts().subList(0, entries.fixedParts())) {
      part.codec().skip(fixed);
    }
    var start = new ByteSink().add(from, 0, fixed.offset());
    for (int i = 0; i < orderParts.size(); i++) {
      PartCodec codec = index.parts().get(entries.fixedParts() + i).codec();
      int cutLength = codec.write(values.get(orderParts.get(i)), start);
      if (cutLength >= 0) {
        start.truncate(cutLength);
        return fromPrefix(start.toBytes(), isBackward);
      }
    }
    if (!index.isUnique()) {
      start.add(form.key(after));
    }
    byte[] entry = start.toBytes();
    return isBackward ? Range.lessThan(entry) : Range.greaterThan(entry);
  }

  private static Range fromPrefix(byte[] prefix, boolean isBackward) {
    byte[] end = Range.prefix(prefix).to();
    if (!isBackward) {
      return Range.atLeast(prefix);
    }
    return end == null ? Range.all() : Range.lessThan(end);
  }
}
