/// What `/metrics` of a node has in addition to Infinispan's own: labels, and the meters of the
/// stores below its caches. [io.varve.grid.metrics.NodeMeters] puts them where the server looks.
/// Nothing here knows how a node starts.
@NullMarked
package io.varve.grid.metrics;

import org.jspecify.annotations.NullMarked;
