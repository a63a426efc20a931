/// Pages: how they are laid out in memory, and as images on disk.
///
/// Knows nodes (a page and the reference to it in one object), the layouts of leaves and inner
/// pages, and their images. Knows how an extent and a reference to a large value are packed. Must
/// not know where images are, which pages stay in memory, keys' meaning beyond their byte order, or
/// trees' algorithms. Entry classes: [io.varve.internal.page.Node],
/// [io.varve.internal.page.LeafPage] and [io.varve.internal.page.PageImage].
///
/// Takes no locks. A node's monitor guards its extent and whether it was replaced; the code that
/// places, loads and replaces nodes takes it.
@NullMarked
package io.varve.internal.page;

import org.jspecify.annotations.NullMarked;
