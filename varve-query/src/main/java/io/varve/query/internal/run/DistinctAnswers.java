package io.varve.query.internal.run;

import io.varve.query.Values;
import io.varve.query.internal.access.SortSettings;
import io.varve.query.internal.access.ValueSorter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Distinguishes answers from those that are equal to one before, within a budget of memory.
/// Answers are remembered until they take half of it. From then on those that are not remembered
/// wait until all rows are read, and are sorted, so that equal ones come together. The first of
/// these are sorted again, as rows may have come in an order that the query asks for.
///
/// For one thread. Close it.
final class DistinctAnswers implements AutoCloseable {
  private static final int SEEN_BYTES = 64;

  private final int columns;
  private final long bytesMax;
  private final TreeSet<List<@Nullable Object>> seen = new TreeSet<>(Values::compare);
  private final ValueSorter late;
  private final ValueSorter inOrder;
  private boolean isAllRead;
  private long bytes;

  DistinctAnswers(int columns, SortSettings settings) {
    this.columns = columns;
    long budget = settings.memoryBytes();
    this.bytesMax = budget / 2;
    var part = new SortSettings(budget / 4, settings.directory());
    this.late = ValueSorter.together(columns, part);
    this.inOrder = ValueSorter.together(1, part);
  }

  /// Whether an answer is the first of those that are equal to it; false also if that is known
  /// later.
  boolean isNew(ValueSorter.Entry answer) {
    List<@Nullable Object> normal = new ArrayList<>(columns);
    for (Object value : answer.values()) {
      normal.add(Values.normal(value));
    }
    if (bytes > bytesMax) {
      if (!seen.contains(normal)) {
        late.add(normal.toArray(), joined(answer));
      }
      return false;
    }
    boolean isNew = seen.add(normal);
    bytes += isNew ? SEEN_BYTES + HeldBytes.of(normal) : 0;
    return isNew;
  }

  private static @Nullable Object[] joined(ValueSorter.Entry answer) {
    int columns = answer.values().length;
    int end = columns + answer.by().length;
    @Nullable Object[] joined = Arrays.copyOf(answer.values(), end + 1);
    System.arraycopy(answer.by(), 0, joined, columns, answer.by().length);
    joined[end] = answer.number();
    return joined;
  }

  /// The next of the answers that had to wait, once all rows are read, or null.
  ValueSorter.@Nullable Entry pollLate() {
    if (!isAllRead) {
      isAllRead = true;
      keepFirst();
    }
    ValueSorter.Entry entry = inOrder.poll();
    if (entry == null) {
      return null;
    }
    @Nullable Object[] joined = entry.values();
    int end = joined.length - 1;
    return new ValueSorter.Entry(
        Arrays.copyOfRange(joined, columns, end),
        Arrays.copyOf(joined, columns),
        (Long) Objects.requireNonNull(joined[end]));
  }

  /// Takes the first of the late answers that are equal.
  private void keepFirst() {
    List<@Nullable Object> last = null;
    for (ValueSorter.Entry entry = late.poll(); entry != null; entry = late.poll()) {
      List<@Nullable Object> normal = Arrays.asList(entry.by());
      if (last == null || Values.compare(last, normal) != 0) {
        last = normal;
        @Nullable Object[] joined = entry.values();
        inOrder.add(new @Nullable Object[] {joined[joined.length - 1]}, joined);
      }
    }
  }

  @Override
  public void close() {
    try (late) {
      inOrder.close();
    }
  }
}
