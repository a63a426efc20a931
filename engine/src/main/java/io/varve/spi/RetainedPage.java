package io.varve.spi;

/// One stay of a page in memory, as a [RetentionPolicy] knows it: the page of a leaf that is
/// written, and so may leave.
///
/// Implemented by Varve alone. A page that left and was read again is a new one, with the same
/// [#id()]. Compare them by identity, which is what `equals` does. Immutable, and safe for threads.
///
/// @since 1.0
public interface RetainedPage {
  /// The number of the page in the store, so that a policy can know one that comes back. A page
  /// that was changed has another, and a new page may have that of an old one which is gone.
  long id();

  /// The bytes of memory that it counts for, at least 1: some more than the page itself takes.
  int bytes();
}
