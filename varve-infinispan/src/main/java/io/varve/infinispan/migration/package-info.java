/// Brings the entries of Infinispan's own stores into Varve.
/// [io.varve.infinispan.migration.CacheImport] is the entry.
///
/// The old store is read by Infinispan's class for it, in a cache of its own. It reads a copy or
/// links, so that what it does to its files does not reach the source. The entries go to a
/// [io.varve.infinispan.VarveStore] as Infinispan marshalled them. Nothing here knows how either of
/// them is in its files, except the names by which stores are distinguished.
@NullMarked
package io.varve.infinispan.migration;

import org.jspecify.annotations.NullMarked;
