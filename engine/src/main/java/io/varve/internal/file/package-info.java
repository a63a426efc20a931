/// The page file: what is where in it.
///
/// Knows extents and which of them are free, superblocks and catalogs, and the record of the last
/// open. Knows large values in extents of their own, and how images are encrypted and compressed.
/// Must not know which pages are in memory, trees, transactions or the log. Entry classes:
/// [io.varve.internal.file.PageFile] and [io.varve.internal.file.Extents].
///
/// Lock order, as [io.varve.internal.lock.LockOrder] checks it: the monitor of
/// [io.varve.internal.file.LargeAccounts], then the lock of [io.varve.internal.file.Extents], which
/// is held for a few instructions, and while the file is cut.
@NullMarked
package io.varve.internal.file;

import org.jspecify.annotations.NullMarked;
