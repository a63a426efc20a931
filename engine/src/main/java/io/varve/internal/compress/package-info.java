/// Compression: which codecs there are, which of them a file's images need, and the one that the
/// JDK has.
///
/// - **Knows:** names and numbers of codecs, where a file keeps them, deflate.
/// - **Must not know:** what is compressed.
/// - **Entry:** [io.varve.internal.compress.Codecs].
/// - **Lock order:** takes no locks.
@NullMarked
package io.varve.internal.compress;

import org.jspecify.annotations.NullMarked;
