package io.varve.cache.internal.marshal;

/// Where classes of objects are looked for: by the loader of the cache, then by that of the thread,
/// which an application has another of when it was started again.
///
/// @param first the loader of the cache
record Loaders(ClassLoader first) {
  Class<?> find(String className) throws ClassNotFoundException {
    try {
      return Class.forName(className, false, first);
    } catch (ClassNotFoundException e) {
      ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
      if (ofThread == null || ofThread.equals(first)) {
        throw e;
      }
      return Class.forName(className, false, ofThread);
    }
  }

  /// Whether objects of a class would be of that class again when they are read.
  boolean finds(Class<?> type) {
    try {
      return type.isPrimitive() || find(type.getName()) == type;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
