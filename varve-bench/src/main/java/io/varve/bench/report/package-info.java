/// Results: rows, their medians over trials, the CSV file and the summary for readers.
///
/// [io.varve.bench.report.Row] is one figure; [io.varve.bench.report.Results] gathers them. Knows
/// no store and no clock.
@NullMarked
package io.varve.bench.report;

import org.jspecify.annotations.NullMarked;
