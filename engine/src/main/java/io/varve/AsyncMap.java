package io.varve;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Changes of a map whose calls do not wait until they are durable: made by [OrderedMap#async()].
/// Each does what that of [OrderedMap] with the same name does, within the bounds of that view. Its
/// stage gives the value with the commit. A change that changed nothing has no commit, and its
/// stage is complete.
///
/// - **Visibility, durability:** as of [AsyncSpace]. Functions run before a call returns.
/// - **Threads, refusals:** as of [OrderedMap].
///
/// @param <K> the keys
/// @param <V> the values
/// @since 1.0
public interface AsyncMap<K, V> {
  /// The map that is changed, with the same durability, to be waited for.
  OrderedMap<K, V> map();

  /// Sets the value of `key` and gives the one it replaces, or null.
  CompletionStage<Written<@Nullable V>> put(K key, V value);

  /// Sets the value of `key` unless it has one; gives null if it was set, otherwise the value that
  /// is there.
  CompletionStage<Written<@Nullable V>> putIfAbsent(K key, V value);

  /// Replaces the value of `key` if it has one, and gives that, or null.
  CompletionStage<Written<@Nullable V>> replace(K key, V value);

  /// Replaces the value of `key` if it is `oldValue`, and gives whether it did.
  CompletionStage<Written<Boolean>> replace(K key, V oldValue, V newValue);

  /// Removes `key` and gives the value it had, or null.
  CompletionStage<Written<@Nullable V>> remove(K key);

  /// Removes `key` if it has that value, and gives whether it did.
  CompletionStage<Written<Boolean>> remove(K key, V value);

  /// Sets the value of `key` to what `remapping` makes of the present one; null means absent on
  /// both sides. Gives the new value, or null.
  CompletionStage<Written<@Nullable V>> compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping);

  /// Sets the value of `key` to what `mapping` makes of it if it is absent; gives the value that is
  /// there then, or null.
  CompletionStage<Written<@Nullable V>> computeIfAbsent(
      K key, Function<? super K, ? extends @Nullable V> mapping);

  /// Sets the value of `key` to what `remapping` makes of it if it is present; null removes it.
  /// Gives the new value, or null.
  CompletionStage<Written<@Nullable V>> computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> remapping);

  /// Sets `value` if `key` is absent, otherwise what `remapping` makes of the old value and it;
  /// null removes. Gives the new value, or null.
  CompletionStage<Written<@Nullable V>> merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> remapping);

  /// Puts all entries of `entries` in one commit, and gives their number.
  CompletionStage<Written<Integer>> putAll(Map<? extends K, ? extends V> entries);

  /// Removes every key of the view in one commit, and gives their number.
  CompletionStage<Written<Long>> clear();
}
