/// The indexes of spaces: made, built, verified and dropped, over the commits that keep their
/// entries.
///
/// Knows spaces and transactions; must not know what an index is made of, nor how a store is
/// opened. Entry class: [io.varve.internal.index.SpaceIndexes].
///
/// Lock order: the lock of what is made and dropped, then those of spaces. No lock is held while
/// code of the program runs, nor while an index is built.
@NullMarked
package io.varve.internal.index;

import org.jspecify.annotations.NullMarked;
