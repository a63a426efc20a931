/// Map/reduce over the cluster: [io.varve.infinispan.mapreduce.ClusterEntries] are the entries of a
/// cache, which jobs of `varve-cache` run over. On the node that starts a job `ClusterParts` gives
/// each segment to an owner of it, by calls that `NodeCalls` has; on every node `NodeParts` holds
/// the parts that run there, each over `OwnedEntries`.
///
/// Knows a cache of Infinispan, its topology, and the stream of a [io.varve.infinispan.VarveStore];
/// nothing of how entries are stored, or how jobs combine.
@NullMarked
package io.varve.infinispan.mapreduce;

import org.jspecify.annotations.NullMarked;
