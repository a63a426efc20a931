/// What caches are defined as, what their entries take, and what a node does where a store is full.
@NullMarked
package io.varve.grid.guard.entry;

import org.jspecify.annotations.NullMarked;
