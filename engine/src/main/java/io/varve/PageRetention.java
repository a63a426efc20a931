package io.varve;

/// Which pages stay in memory when there is no room for all ([StoreOptions#cacheBytes(long)]).
///
/// It is about the leaves of trees, which hold the entries. Inner pages, which lead to them, stay
/// longest under each. Pages that no checkpoint has written stay until one has. No answer depends
/// on the choice, readers take no lock under any, and it may change from open to open.
public enum PageRetention {
  /// None: a leaf is read for each use, and leaves memory with it. For the least memory.
  NONE,

  /// A table with as many slots as the budget has room for pages. Where a page is on disk says
  /// which slot is its own; a newcomer displaces the leaf it finds there. Costs least, and forgets
  /// what is used often as easily as what is not.
  HASHED,

  /// The page that was used least recently leaves first. For loads that come back to what they used
  /// last; a scan of more than the budget displaces everything.
  LRU,

  /// A newcomer soon leaves unless it is used again, and stays long if it is: a scan displaces
  /// little (S3-FIFO: Yang et al., SOSP 2023). The default.
  S3_FIFO
}
