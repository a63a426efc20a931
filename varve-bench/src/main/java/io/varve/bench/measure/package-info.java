/// How a case is measured: threads that work for a stated time, latencies, pauses, memory, disk.
///
/// [io.varve.bench.measure.Cell] is the way in. Knows no store. The raw limits of the machine are
/// here too, in [io.varve.bench.measure.DeviceLimits].
@NullMarked
package io.varve.bench.measure;

import org.jspecify.annotations.NullMarked;
