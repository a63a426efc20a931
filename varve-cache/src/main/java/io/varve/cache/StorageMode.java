package io.varve.cache;

/// Where the entries of a cache live.
///
/// @since 1.0
public enum StorageMode {
  /// On the heap alone, bounded by count or bytes. Lost with the process.
  HEAP,

  /// In pages, with hot entries on the heap as objects as well. As durable as configured.
  TIERED,

  /// On the heap while they are used, and in pages once they are evicted from there; an entry that
  /// is read comes back, and stays in its page until it is changed. A clean close writes all to
  /// pages; a crash loses what was on the heap alone.
  OVERFLOW,

  /// In pages alone: entries take no heap but the page budget of the store. As durable as
  /// configured.
  PAGES;

  /// Whether entries are ever in pages.
  public boolean hasPages() {
    return this != HEAP;
  }
}
