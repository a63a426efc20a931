/// Items: tuples of typed components, in order, in a set with global commit and rollback.
///
/// An [io.varve.item.Item] is a tuple such as `(Patent, 6789012, Title, "Folding boat")`; an
/// [io.varve.item.ItemSpace] is an ordered set of them, from [io.varve.Store#items(String)]. All
/// that a program stores is laid out as items with common prefixes: records, tables, lists, maps
/// ([io.varve.item.ItemSpace#map]), sets, long texts and binaries. Knows the API of the store, and
/// of the internals only how items are encoded and kept (`io.varve.internal.item`).
@NullMarked
package io.varve.item;

import org.jspecify.annotations.NullMarked;
