/// The tables: what is measured, case by case, for one engine in one trial.
///
/// [io.varve.bench.table.Tables] lists them. A table opens the engine, loads it, runs its cells,
/// checks the answers and gives rows; it knows nothing of other engines or trials.
@NullMarked
package io.varve.bench.table;

import org.jspecify.annotations.NullMarked;
