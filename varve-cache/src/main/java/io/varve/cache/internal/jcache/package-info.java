/// Caches as JCache describes them, over a container. Entry class: [JCacheManager]; a cache is a
/// [JCache], whose calls are made of [Operations].
///
/// Loaders, writers, processors and synchronous listeners of users run under the lock of their key.
///
/// Lock order: the close of a manager, the close of a cache, locks of keys. A thread that closes
/// waits for no lock of a key, so a thread that holds one may close. That of a directory in
/// [ManagerStore] is held while its store is opened or closed, that of the provider while a manager
/// is made. That of a manager is held while a cache is opened. Factories of users run without these
/// locks, and without that of [Listeners].
@NullMarked
package io.varve.cache.internal.jcache;

import org.jspecify.annotations.NullMarked;
