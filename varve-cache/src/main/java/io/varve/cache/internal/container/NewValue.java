package io.varve.cache.internal.container;

/// A value that is about to be put, and what a [Container] puts of it.
///
/// @param form made of the value by the container
/// @param <V> the values
public record NewValue<V>(V value, Object form) {}
