/// Meters of Micrometer for what Varve counts.
///
/// - **Knows:** what the figures of stores, spaces and caches are called in Micrometer, of which
///   kind they are and in which unit. docs/OBSERVABILITY.md has the table.
/// - **Must not know:** how anything is counted.
/// - **Entry:** [VarveStoreMetrics], [VarveSpaceMetrics], [VarveItemSpaceMetrics] and
///   [VarveCacheMetrics], each a `MeterBinder`. None of them keeps what it measures in memory.
/// - **Lock order:** that of a [Polled] is held while its source is asked, which takes its own.
@NullMarked
package io.varve.micrometer;

import org.jspecify.annotations.NullMarked;
