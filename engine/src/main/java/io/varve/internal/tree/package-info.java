/// The B+tree of one space: search, insert, split, merge, cursors, and its roots over time.
///
/// Any number of readers without locks; one writer at a time, which holds the space's write lock
/// (of the layer above). Knows pages and epochs; must not know transactions, the log, or what keys
/// mean. Entry classes: [io.varve.internal.tree.Tree] for reads,
/// [io.varve.internal.tree.TreeWriter] for changes.
///
/// - (T1) A leaf of the current epoch is changed in place under its version word.
/// - (T2) A node of an older epoch is never changed: the writer copies it, and its ancestors of
///   older epochs, into the current epoch. So a snapshot is an old root.
/// - (T3) Splits and merges build new nodes and publish them by one store into the parent; the old
///   ones stay intact for readers already inside.
/// - (T4) A read that saw torn bytes can only have failed its version check: every offset is
///   checked against bounds and every loop ends.
@NullMarked
package io.varve.internal.tree;

import org.jspecify.annotations.NullMarked;
