/// Tests of map/reduce over clusters of nodes in one process.
@NullMarked
package io.varve.infinispan.mapreduce;

import org.jspecify.annotations.NullMarked;
