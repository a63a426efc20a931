/// JMH benchmarks of inner parts of the engine, one class per part, run by `varve bench jmh`.
///
/// They reach internal packages, which the class path allows and the module path would not.
@NullMarked
package io.varve.bench.jmh;

import org.jspecify.annotations.NullMarked;
