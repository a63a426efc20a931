/// Caches of Varve as beans of CDI, and the annotations of JCache on methods of beans.
///
/// - **Knows:** which beans there are, and how a call of a bean becomes a call of JCache.
/// - **Must not know:** how caches work; it sees their exported API alone.
/// - **Entry:** [VarveExtension], which the container finds by a list of names, and [NamedCache].
@NullMarked
package io.varve.cdi;

import org.jspecify.annotations.NullMarked;
