package io.varve.internal.map;

import io.varve.Written;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Makes each change of a map or set over entries of its own, whose durability a stage awaits.
///
/// @param <M> the map or set
final class UnawaitedView<M> {
  private final Supplier<EntryStore.Pending> pending;
  private final Function<EntryStore, M> over;

  /// @param pending the entries for one change
  /// @param over the map or set over them, with the bounds of the view
  UnawaitedView(Supplier<EntryStore.Pending> pending, Function<EntryStore, M> over) {
    this.pending = pending;
    this.over = over;
  }

  /// Applies a change.
  <T extends @Nullable Object> CompletionStage<Written<T>> write(Function<M, T> change) {
    EntryStore.Pending entries = pending.get();
    return entries.written(change.apply(over.apply(entries.entries())));
  }

  /// Applies a change that gives the number of what it removes.
  CompletionStage<Written<Long>> clear(Consumer<M> change) {
    EntryStore.Pending entries = pending.get();
    change.accept(over.apply(entries.entries()));
    return entries.written(entries.removedCount());
  }
}
