/// Caches that a file describes, in YAML. Entry class: [CacheFile]. This package alone knows the
/// library that reads YAML, which is there only if a program has such a file. It makes properties
/// and options, and no cache.
@NullMarked
package io.varve.cache.internal.file;

import org.jspecify.annotations.NullMarked;
