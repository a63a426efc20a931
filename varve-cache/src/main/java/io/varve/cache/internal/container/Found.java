package io.varve.cache.internal.container;

import org.jspecify.annotations.Nullable;

/// An entry that a walk met.
///
/// @param key apart from what the container holds, so that it can be given away
/// @param held what is there now; null if the walk cannot know that, and the entry must be looked
///   up
/// @param <K> the keys
public record Found<K>(K key, @Nullable Held held) {}
