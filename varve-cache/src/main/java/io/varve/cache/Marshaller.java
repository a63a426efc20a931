package io.varve.cache;

/// Turns objects into bytes and back.
///
/// Keys are compared by their bytes where they are in pages: equal keys must give equal bytes.
///
/// - **Threads:** safe for any number of threads.
///
/// @param <T> the objects
/// @since 1.0
public interface Marshaller<T> {
  /// The bytes of an object. The caller owns them.
  ///
  /// @throws javax.cache.CacheException if it cannot be written
  byte[] toBytes(T object);

  /// The object that has these bytes.
  ///
  /// @throws javax.cache.CacheException if they are not of this marshaller, or of classes that it
  ///   does not allow
  T fromBytes(byte[] bytes);
}
