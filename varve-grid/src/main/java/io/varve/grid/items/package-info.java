/// The items of a node, which clients read and change as JSON: [io.varve.grid.items.ItemStore] is
/// the store that has them, and [io.varve.grid.items.ItemResource] answers the requests of REST.
///
/// Nothing here knows who asks, nor how a node starts. A request is carried out on a virtual thread
/// of its own. Locks, in their order: that of the `ItemStore`, and that of one `ServedItems`.
@NullMarked
package io.varve.grid.items;

import org.jspecify.annotations.NullMarked;
