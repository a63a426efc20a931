/// Takes what is intact out of a store whose files are damaged, without opening it.
///
/// Knows what pages and log records state about themselves, and how they contradict each other.
/// Must not rely on anything that leads to them, and not know how stores are opened. The store that
/// the salvage fills is a [io.varve.Store] like any other. Entry class:
/// [io.varve.internal.salvage.Salvager].
///
/// Takes no locks.
@NullMarked
package io.varve.internal.salvage;

import org.jspecify.annotations.NullMarked;
