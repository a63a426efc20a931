package io.varve.cache.internal.container;

/// What a stream notes of an entry on the heap. The entry that it shows is made when it is met, and
/// not kept: so a stream takes no memory for the values that it has made.
///
/// @param key that the cache holds; not for users
/// @param <K> the keys
record Noted<K>(K key, Held held) {}
