package io.varve.infinispan;

import io.varve.Store;
import java.nio.file.Path;
import org.infinispan.Cache;
import org.jspecify.annotations.Nullable;

/// The Varve store of a cache, from its open to its close.
///
/// @param cache whose entries it keeps, which may not run yet
/// @param directory of its files, or null if it is in memory
/// @param store to ask for figures; what it holds is the cache's alone to change
public record OpenStore(Cache<?, ?> cache, @Nullable Path directory, Store store) {}
