/// Which pages are in memory.
///
/// Knows the budget, the policies of what leaves when it is passed, and what counts as dirty. Knows
/// how a page that is missing is read by one thread for all threads that want it. Must not know
/// trees' algorithms, transactions or the log. Entry classes: [io.varve.internal.cache.Pages],
/// which loads and replaces nodes, and [io.varve.internal.cache.PageCache], which holds them.
///
/// Lock order, as [io.varve.internal.lock.LockOrder] checks it: a node's monitor (loading, placing
/// or replacing it), then the lock of the extents, then that of the cache.
@NullMarked
package io.varve.internal.cache;

import org.jspecify.annotations.NullMarked;
