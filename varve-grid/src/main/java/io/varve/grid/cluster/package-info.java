/// A node among others: how nodes find each other, see that one has failed, share entries, and keep
/// them when nodes come and go; [io.varve.grid.cluster.ClusterOptions] is what a user sets for it,
/// and makes the [io.varve.grid.node.CacheContainer] of such a node.
@NullMarked
package io.varve.grid.cluster;

import org.jspecify.annotations.NullMarked;
