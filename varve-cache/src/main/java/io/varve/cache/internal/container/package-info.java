/// Where the entries of a cache are: on the heap, in pages, or both. Knows keys, values in the form
/// they are held in, segments and ends of entries; knows nothing of listeners, loaders or what
/// JCache makes of an entry that has ended. Entry interface: [Container].
///
/// Lock order: the lock of a key ([KeyLocks]), which the caller holds, then the step that Caffeine
/// has for it, then those of the store.
@NullMarked
package io.varve.cache.internal.container;

import org.jspecify.annotations.NullMarked;
