/// A persistence store of Infinispan. [io.varve.infinispan.VarveStore] is what Infinispan calls,
/// and the only class that knows its threads; [io.varve.infinispan.CacheEntries] keeps entries in
/// the spaces of a Varve store, and knows no thread. The classes whose names begin with
/// `VarveStoreConfiguration` are what a program or a file says of a store.
///
/// Nothing here unmarshals a value, or a key but where a filter or a user asks for it. There are no
/// locks: what belongs together is one commit.
@NullMarked
package io.varve.infinispan;

import org.jspecify.annotations.NullMarked;
