/// Pages: how they are laid out in memory and on disk, where they lie, and which stay in memory.
///
/// Knows nodes (a page and the reference to it in one object), page layouts and images, the page
/// file with its extents and superblocks, large values and the page cache. Must not know keys'
/// meaning beyond their byte order, trees' algorithms, transactions or the log. Entry classes:
/// [io.varve.internal.page.PageFile], [io.varve.internal.page.PageCache] and
/// [io.varve.internal.page.Node].
///
/// Lock order: a node's monitor (loading or retiring it), then the cache's or the extents' lock.
@NullMarked
package io.varve.internal.page;

import org.jspecify.annotations.NullMarked;
