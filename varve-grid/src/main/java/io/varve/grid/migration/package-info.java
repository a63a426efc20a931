/// The command that brings caches of Infinispan into Varve. What it does is in
/// [io.varve.infinispan.migration]; here is what a user types and reads.
@NullMarked
package io.varve.grid.migration;

import org.jspecify.annotations.NullMarked;
