/// Map/reduce over streams of entries: [MapReduce] says what a job does, [Job] is one that runs.
///
/// Mappers run on threads of the job, each of which has a [WorkerTable] in which what it emits is
/// combined as it comes. Tables share a [Budget] in bytes, as measured while they fill; one that
/// finds it used up is written to a [Spill], a store in a directory of its own, as a run in the
/// order of marshalled keys. [MergedRun] then gives all keys in one pass.
///
/// A job is a [RunningJob] with a [Mapping]: of a stream, or of elements that are [Distributed]
/// over processes. Of those each runs a [Part], which gives what it has as [Pages], and the process
/// that started the job merges them as if they were runs.
///
/// Knows elements, keys and values, and the store through its exported API; must not know caches
/// beyond [io.varve.cache.CacheEntry].
@NullMarked
package io.varve.cache.mapreduce;

import org.jspecify.annotations.NullMarked;
