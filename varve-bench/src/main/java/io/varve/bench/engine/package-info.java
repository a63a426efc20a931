/// The stores under measurement, each as one small interface, with its settings in words.
///
/// Start at [io.varve.bench.engine.Engines]: it lists the [io.varve.bench.engine.EngineType]s,
/// which open [io.varve.bench.engine.Engine]s, which hand out one
/// [io.varve.bench.engine.EngineSession] per thread. An adapter takes the fastest path that a
/// careful user of that store would take, and knows nothing of loads, tables or clocks.
@NullMarked
package io.varve.bench.engine;

import org.jspecify.annotations.NullMarked;
