/// What `/metrics` of a node has beside Infinispan's own: [io.varve.grid.metrics.ClusterTag].
/// Nothing here knows how a node starts.
@NullMarked
package io.varve.grid.metrics;

import org.jspecify.annotations.NullMarked;
