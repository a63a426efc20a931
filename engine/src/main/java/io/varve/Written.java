package io.varve;

import org.jspecify.annotations.Nullable;

/// What a change gave, and its commit: for changes that give a value, such as
/// [AsyncSpace#putIfAbsent].
///
/// Immutable if the value is, and so safe for any number of threads.
///
/// @param value what the method of the same name gives where it is waited for
/// @param commit the commit of the change, or null if nothing was changed
/// @param <T> the value
/// @since 1.0
public record Written<T extends @Nullable Object>(T value, @Nullable Commit commit) {}
