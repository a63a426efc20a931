package io.varve.cdi;

/// Decides what happens when a call has succeeded and its cache cannot keep what it answered or was
/// given. An application that has a bean of this type is asked. Without one such failures are
/// logged, and the call answers. A container with several does not start, unless one of them is an
/// `@Alternative` with the highest `@Priority`: that one is asked.
///
/// The cache has no entry of the call by then. A failure of a `CacheWriter` is not asked about: it
/// is that of the call, since what was to be written is written nowhere.
///
/// - **Threads:** called by the threads of the calls.
///
/// @since 1.0
@FunctionalInterface
public interface PutFailureHandler {
  /// Called after a put has failed. What it throws is thrown by the call: throw the failure to let
  /// the call fail with it.
  ///
  /// @param cacheName of the cache that could not keep it
  /// @param failure what the cache threw
  void putFailed(String cacheName, RuntimeException failure);
}
