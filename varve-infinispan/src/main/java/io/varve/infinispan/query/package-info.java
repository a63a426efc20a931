/// The index of a cache whose entries live in Varve: [io.varve.infinispan.query.PersistentIndex]
/// has it rebuilt where it is missing or stale.
///
/// Knows a cache, its indexer and its store's sessions; nothing of entries.
@NullMarked
package io.varve.infinispan.query;

import org.jspecify.annotations.NullMarked;
