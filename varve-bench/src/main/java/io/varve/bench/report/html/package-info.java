/// The results as one page of HTML that needs no other file: each table with its charts, the
/// figures that others have published, the limits of the device, machine and settings.
///
/// [io.varve.bench.report.html.ReportPage] writes it. What a chart shows follows from the rows, so
/// a new table has its charts without a word here. Knows no store and no clock.
@NullMarked
package io.varve.bench.report.html;

import org.jspecify.annotations.NullMarked;
