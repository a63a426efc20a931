package io.varve.cache;

import java.util.function.Predicate;

/// Makes marshallers of some library for [Marshallers#named]. Found by [java.util.ServiceLoader].
///
/// - **Threads:** safe for any number of threads.
///
/// @since 1.0
public interface MarshallerProvider {
  /// The name that users give, such as `kryo`.
  String name();

  /// A marshaller for the values of a cache. It is asked for no scalars: Varve writes these itself.
  ///
  /// It refuses what is not allowed when it is written and when it is read. It refuses bytes that
  /// are none of its own, whatever they are, with a [javax.cache.CacheException]: write access to
  /// the files of a store must not let a user run code of other classes, nor take all memory.
  ///
  /// @param type the type of the values
  /// @param loader where classes are looked for
  /// @param allowed tests whether objects may be of a class that is no array
  <T> Marshaller<T> ofValues(Class<T> type, ClassLoader loader, Predicate<Class<?>> allowed);
}
