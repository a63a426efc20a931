package io.varve.cache.internal.container;

import io.varve.cache.CacheEntry;
import java.util.List;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Traverses parts one after the other, without the entries that are not shown. It is cut between
/// parts, in halves of their number; the last part by its own spliterator. Entries have no order,
/// so either half may be given away.
final class PartsSpliterator<K, V> implements Spliterator<CacheEntry<K, V>> {
  private final Predicate<StreamedEntry<K, V>> shown;
  private final Runnable check;
  private List<EntryPart<K, V>> rest; // after the current part

  /// What is left of the part that was begun; null before the first and after the last.
  private @Nullable Spliterator<StreamedEntry<K, V>> current;

  /// At most so many are left of the current part: a segment may be less than a leaf, which is what
  /// its spliterator goes by.
  private long currentMax;

  /// @param check called before each entry
  PartsSpliterator(
      List<EntryPart<K, V>> parts, Predicate<StreamedEntry<K, V>> shown, Runnable check) {
    this.rest = parts;
    this.shown = shown;
    this.check = check;
  }

  /// The part to continue with, or null if all are done.
  private @Nullable Spliterator<StreamedEntry<K, V>> begun() {
    if (current == null && !rest.isEmpty()) {
      current = rest.getFirst().entries().get();
      currentMax = rest.getFirst().estimate();
      rest = rest.subList(1, rest.size());
    }
    return current;
  }

  @Override
  public boolean tryAdvance(Consumer<? super CacheEntry<K, V>> action) {
    Objects.requireNonNull(action, "action");
    Chosen chosen = new Chosen(action);
    for (Spliterator<StreamedEntry<K, V>> part = begun(); part != null; part = begun()) {
      while (part.tryAdvance(chosen)) {
        if (chosen.hasShown) {
          return true;
        }
      }
      current = null;
    }
    return false;
  }

  @Override
  public void forEachRemaining(Consumer<? super CacheEntry<K, V>> action) {
    Objects.requireNonNull(action, "action");
    Chosen chosen = new Chosen(action);
    for (Spliterator<StreamedEntry<K, V>> part = begun(); part != null; part = begun()) {
      part.forEachRemaining(chosen);
      current = null;
    }
  }

  /// Passes on what is shown.
  private final class Chosen implements Consumer<StreamedEntry<K, V>> {
    private final Consumer<? super CacheEntry<K, V>> action;
    private boolean hasShown;

    Chosen(Consumer<? super CacheEntry<K, V>> action) {
      this.action = action;
    }

    @Override
    public void accept(StreamedEntry<K, V> entry) {
      check.run();
      if (shown.test(entry)) {
        hasShown = true;
        action.accept(entry);
      }
    }
  }

  @Override
  public @Nullable Spliterator<CacheEntry<K, V>> trySplit() {
    int given = current == null ? rest.size() / 2 : (rest.size() + 1) / 2;
    if (given > 0) {
      Spliterator<CacheEntry<K, V>> first =
          new PartsSpliterator<>(rest.subList(0, given), shown, check);
      rest = rest.subList(given, rest.size());
      return first;
    }
    Spliterator<StreamedEntry<K, V>> last = begun();
    Spliterator<StreamedEntry<K, V>> prefix = last == null ? null : last.trySplit();
    if (prefix == null) {
      return null;
    }
    var split = new PartsSpliterator<>(List.<EntryPart<K, V>>of(), shown, check);
    split.current = prefix;
    split.currentMax = currentMax;
    return split;
  }

  @Override
  public long estimateSize() {
    long sum = current == null ? 0 : Math.min(current.estimateSize(), currentMax);
    for (EntryPart<K, V> part : rest) {
      sum += part.estimate();
    }
    return sum;
  }

  @Override
  public int characteristics() {
    return DISTINCT | NONNULL | IMMUTABLE;
  }
}
