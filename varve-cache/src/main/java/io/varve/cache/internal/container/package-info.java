/// Where the entries of a cache are: on the heap, in pages, or both. Knows keys, values in the form
/// they are held in, segments and ends of entries; knows nothing of listeners, loaders or what
/// JCache makes of an entry that has ended. Entry interface: [Container].
///
/// A thread that changes a key holds its [KeyLock]. It changes the key in steps that pass the
/// [Gate], in which no code of users runs.
///
/// Lock order: locks of keys ([KeyLocks]), then the gate, then the step that Caffeine has for a
/// key, then the locks of the store. A thread that holds the lock of a key takes another one
/// without waiting. The exception are users who call a cache from a loader, a writer, a processor
/// or a listener.
@NullMarked
package io.varve.cache.internal.container;

import org.jspecify.annotations.NullMarked;
