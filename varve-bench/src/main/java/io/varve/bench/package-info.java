/// Benchmarks of Varve against its peers.
///
/// [io.varve.bench.Main] is the command. It measures the machine, then runs every engine of a table
/// in a JVM of its own, trial by trial in a new order. It gathers the figures. `engine` knows the
/// stores, `load` the data, `measure` clocks and threads, `table` the cases, `report` the results.
@NullMarked
package io.varve.bench;

import org.jspecify.annotations.NullMarked;
