/// How a job of map and reduce runs in one process.
///
/// Mappers run on threads of the job, each of which has a [WorkerTable] in which what it emits is
/// combined as it comes. Tables share a [Budget] in bytes, as measured while they fill; one that
/// finds it used up is written to a [Spill] as a run in the order of marshalled keys. A spill is a
/// store in a directory of its own. [MergedRun] then gives all keys in one pass. A job is a
/// [RunningJob] with a [Mapping]: of a stream, or of elements of several processes, whose pages are
/// runs as well.
///
/// Knows the jobs that users describe (`io.varve.cache.mapreduce`), and the store through its
/// exported API; must not know caches. Entry class: [RunningJob].
@NullMarked
package io.varve.cache.internal.mapreduce;

import org.jspecify.annotations.NullMarked;
