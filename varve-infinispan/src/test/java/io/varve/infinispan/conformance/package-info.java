/// Infinispan's own tests of persistence stores, run unmodified over Varve. Each class here defines
/// how a test of Infinispan gets its store, and nothing else; `ConformanceTest` runs and counts
/// them.
@NullMarked
package io.varve.infinispan.conformance;

import org.jspecify.annotations.NullMarked;
