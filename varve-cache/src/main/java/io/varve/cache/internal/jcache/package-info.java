/// Caches as JCache describes them, over a container. Entry class: [JCacheManager].
///
/// Lock order: the manager, all locks of a cache, the lock of a key. Loaders, writers, processors
/// and synchronous listeners of users run under the lock of their key.
@NullMarked
package io.varve.cache.internal.jcache;

import org.jspecify.annotations.NullMarked;
