/// Whole histories of a store from a seed: many threads, crashes, failing and lying disks, and a
/// check of every answer and every recovery.
///
/// [Simulation] runs one. Its parts: `History` is what happens to the store as a whole, from open
/// to crash, again and again. `Actor`s use the store concurrently, in random steps. `Calls` carries
/// each call out and knows which commit it made; `Timeline` holds what the store must answer, in
/// commit order; `Promises` what must survive; `Faults` makes the disk slow, fail and pretend.
///
/// Everything runs on `SimulatedThreads`: between two stops of a thread no other thread runs, so
/// plain fields are shared freely.
@NullMarked
package io.varve.test.simulation;

import org.jspecify.annotations.NullMarked;
