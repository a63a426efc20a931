/// Benchmarks of Varve and its peers, run by [Main].
@NullMarked
package io.varve.bench;

import org.jspecify.annotations.NullMarked;
