/// Map/reduce over streams of entries: [MapReduce] defines what a job does, [Job] is one that runs.
///
/// A job runs over a stream, or over elements that are [Distributed] over processes. Of those each
/// runs a [Part], which gives what it has as [Pages], and the process that started the job merges
/// them. How jobs run is in `io.varve.cache.internal.mapreduce`.
///
/// Knows elements, keys and values; must not know caches beyond [io.varve.cache.CacheEntry].
@NullMarked
package io.varve.cache.mapreduce;

import org.jspecify.annotations.NullMarked;
