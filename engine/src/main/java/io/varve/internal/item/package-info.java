/// How items are encoded, and how a set of items is kept in the spaces of a store.
///
/// Knows the API of the store and of items, and nothing below them. Changes that are not committed
/// are *overlays* in memory ([io.varve.internal.item.Overlay]); many of them are moved to a *layer*
/// ([io.varve.internal.item.Layer]). That is a space of the store that means nothing until a mark
/// in it records its commit. Reads merge overlays, layers and the main space
/// ([io.varve.internal.item.MergedCursor]). Start at [io.varve.internal.item.Levels];
/// [io.varve.internal.item.LayeredSpace] is what users call.
///
/// Locks, in their order: the lock of all item spaces, which is held while one is opened, or a
/// space is made or its layers are dropped; the lock of the layers, which is held while commits are
/// applied; the lock of the changes, which is held for a few instructions and for no work of the
/// store.
@NullMarked
package io.varve.internal.item;

import org.jspecify.annotations.NullMarked;
