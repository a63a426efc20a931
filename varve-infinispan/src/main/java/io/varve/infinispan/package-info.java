/// A persistence store of Infinispan. [io.varve.infinispan.VarveStore] is what Infinispan calls; it
/// and `EntryPublishers` alone know its threads. `CacheEntries` keeps entries in the spaces of a
/// Varve store, as `EntryKey`, `EntryValue`, `ExpiryKey` and `Layout` define them, through the
/// engine's API alone. The classes whose names begin with `VarveStoreConfiguration` are what a
/// program or a file sets for a store.
///
/// Nothing here unmarshals a value, or a key but where a filter or a user asks for it. There are no
/// locks: what belongs together is one commit.
@NullMarked
package io.varve.infinispan;

import org.jspecify.annotations.NullMarked;
