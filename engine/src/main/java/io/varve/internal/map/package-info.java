/// Spaces as sorted maps of typed keys and values.
///
/// Knows codecs, ranges and cursors; sees the store through `io.varve`. Of a space it knows one
/// thing more: changes that are applied and not awaited. Must not know how a space keeps its
/// entries. Start at [io.varve.internal.map.SpaceMap]; all that depends on the direction or the
/// bounds of a view is in [io.varve.internal.map.Slice]. Takes no locks: every change is one atomic
/// operation of the space, repeated where another came between.
@NullMarked
package io.varve.internal.map;

import org.jspecify.annotations.NullMarked;
