package io.varve.cache.mapreduce;

import java.io.Serializable;
import java.util.function.BinaryOperator;

/// Makes one of two values of a key. Serializable, so that a job can be sent to where entries are;
/// one that holds what is not runs in its own process alone.
///
/// @param <V> the values
/// @since 1.0
@FunctionalInterface
public interface Combiner<V> extends BinaryOperator<V>, Serializable {}
