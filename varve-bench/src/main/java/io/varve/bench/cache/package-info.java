/// Caches that can be measured: Varve's in each of its modes, and peers in the modes they have.
///
/// [io.varve.bench.cache.Caches] names them. Each maps a string to an array of bytes, as a program
/// would use it, so that all pay for the same objects; a [io.varve.bench.cache.CacheEngine] also
/// lets each be measured as the stores of `engine` are. Knows no table.
@NullMarked
package io.varve.bench.cache;

import org.jspecify.annotations.NullMarked;
