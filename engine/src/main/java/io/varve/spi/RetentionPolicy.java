package io.varve.spi;

import org.jspecify.annotations.Nullable;

/// Which pages stay in memory when not all can: a program's own answer, given to a store by
/// [io.varve.PageRetention#of]. One instance serves one open store.
///
/// It is notified of the pages of leaves that are written. The store keeps the list of them and
/// their bytes by itself. So no answer of a store and no bound depends on what a policy returns.
///
/// - **Threads:** [#used] is called by any number of threads at the same time, which hold no lock
///   of the cache; everything else by one thread at a time, under a lock that all misses of the
///   store take. Each of the latter sees what the ones before it wrote.
/// - **Cost:** [#used] is a part of each read that finds its page in memory, the others of each
///   that does not. None may wait for long, or for a thread that uses the store, and none may use
///   the store itself: readers and commits would wait for it.
/// - **Memory:** what a policy keeps is not counted in [io.varve.StoreOptions#cacheBytes()]. One
///   that keeps pages after [#removed] keeps some dozens of bytes for each.
/// - **Failures:** a policy that throws anything, or names a page that is not in memory, is not
///   called again by this open store. Calls of other threads may still be under way then. From then
///   on pages leave in the order in which they came. The store logs that once, as a warning
///   (`System.Logger`). No read or commit fails for it.
///
/// @since 1.0
public interface RetentionPolicy {
  /// Notes how much memory pages may take together, in bytes, before the first page comes and when
  /// it has changed. Pages that are not written and inner pages take their part of it; so [#next]
  /// may be asked while the pages here take less.
  default void budget(long bytesMax) {}

  /// Notes a page that came into memory. It is in none of the calls before, except [#used].
  ///
  /// @param passing whether a scan brought it, which predicts no later uses
  void added(RetainedPage page, boolean passing);

  /// Notes that a reader found a page in memory. That call may come shortly before [#added] or
  /// after [#removed]: ignore a page that is not known. Not every use is reported.
  void used(RetainedPage page);

  /// Notes that a page has left memory: because [#next] named it, or because it is gone from the
  /// store. Called once for each that was added.
  void removed(RetainedPage page);

  /// Selects the page that is to leave next. It leaves immediately, and [#removed] is called for
  /// it.
  ///
  /// @return one that was added and not removed; null if it may be any: the one that came first
  @Nullable RetainedPage next();
}
