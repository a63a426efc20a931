package io.varve.internal.map;

import io.varve.AsyncMap;
import io.varve.OrderedMap;
import io.varve.Written;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Changes of a map whose durability is awaited by stages: those of the map itself, each over
/// entries of its own.
///
/// @param <K> the keys
/// @param <V> the values
final class MapWrites<K, V> implements AsyncMap<K, V> {
  private final OrderedMap<K, V> map;
  private final UnawaitedView<OrderedMap<K, V>> view;

  /// @param map the map or view that is changed
  MapWrites(OrderedMap<K, V> map, UnawaitedView<OrderedMap<K, V>> view) {
    this.map = map;
    this.view = view;
  }

  @Override
  public OrderedMap<K, V> map() {
    return map;
  }

  @Override
  public CompletionStage<Written<@Nullable V>> put(K key, V value) {
    return view.<@Nullable V>write(changed -> changed.put(key, value));
  }

  @Override
  public CompletionStage<Written<@Nullable V>> putIfAbsent(K key, V value) {
    return view.<@Nullable V>write(changed -> changed.putIfAbsent(key, value));
  }

  @Override
  public CompletionStage<Written<@Nullable V>> replace(K key, V value) {
    return view.<@Nullable V>write(changed -> changed.replace(key, value));
  }

  @Override
  public CompletionStage<Written<Boolean>> replace(K key, V oldValue, V newValue) {
    return view.write(changed -> changed.replace(key, oldValue, newValue));
  }

  @Override
  public CompletionStage<Written<@Nullable V>> remove(K key) {
    return view.<@Nullable V>write(changed -> changed.remove(key));
  }

  @Override
  public CompletionStage<Written<Boolean>> remove(K key, V value) {
    return view.write(changed -> changed.remove(key, value));
  }

  @Override
  public CompletionStage<Written<@Nullable V>> compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping) {
    return view.<@Nullable V>write(changed -> changed.compute(key, remapping));
  }

  @Override
  public CompletionStage<Written<@Nullable V>> computeIfAbsent(
      K key, Function<? super K, ? extends @Nullable V> mapping) {
    return view.<@Nullable V>write(changed -> changed.computeIfAbsent(key, mapping));
  }

  @Override
  public CompletionStage<Written<@Nullable V>> computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> remapping) {
    return view.<@Nullable V>write(changed -> changed.computeIfPresent(key, remapping));
  }

  @Override
  public CompletionStage<Written<@Nullable V>> merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> remapping) {
    return view.<@Nullable V>write(changed -> changed.merge(key, value, remapping));
  }

  @Override
  public CompletionStage<Written<Integer>> putAll(Map<? extends K, ? extends V> entries) {
    return view.write(changed -> {
      changed.putAll(entries);
      return entries.size();
    });
  }

  @Override
  public CompletionStage<Written<Long>> clear() {
    return view.clear(OrderedMap::clear);
  }
}
