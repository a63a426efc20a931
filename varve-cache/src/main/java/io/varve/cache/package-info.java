/// Varve as a JCache provider. Start at [VarveCachingProvider], which JCache finds automatically,
/// and [CacheOptions], which sets where the entries of a cache live.
///
/// This package knows JCache and how caches are configured. How they work is in
/// `io.varve.cache.internal`: `jcache` (what JCache asks for: expiry, listeners, loaders, writers,
/// processors, management) uses `container` (where entries are), which uses `marshal` (bytes of
/// objects). `file` reads files that describe caches, for the provider. Of the store all of them
/// see `io.varve` alone.
@NullMarked
package io.varve.cache;

import org.jspecify.annotations.NullMarked;
