/// What is put into the stores and in which order: keys, values that can be checked, choices of
/// records, and the six YCSB workloads. Knows no clock and no threads;
/// [io.varve.bench.load.Records] is the way in.
@NullMarked
package io.varve.bench.load;

import org.jspecify.annotations.NullMarked;
