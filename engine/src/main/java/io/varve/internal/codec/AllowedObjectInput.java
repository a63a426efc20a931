package io.varve.internal.codec;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;

/// Deserializes objects of allowed classes and refuses others before any code of theirs runs.
final class AllowedObjectInput extends ObjectInputStream {
  /// Array elements allowed for each byte of input. An element takes at least one byte; a hash
  /// table may be asked for with a load factor of 0.25, and is rounded up to a power of two.
  private static final long ELEMENTS_PER_BYTE_MAX = 8;

  private final ClassLoader loader;
  private final AllowedClasses allowed;
  private final long elementsMax;

  AllowedObjectInput(ByteArrayInputStream source, Class<?> type, AllowedClasses allowed)
      throws IOException {
    this.elementsMax = source.available() * ELEMENTS_PER_BYTE_MAX;
    super(source);
    this.loader =
        type.getClassLoader() == null
            ? ClassLoader.getPlatformClassLoader()
            : type.getClassLoader();
    this.allowed = allowed;
    setObjectInputFilter(this::check);
  }

  private Status check(ObjectInputFilter.FilterInfo info) {
    Class<?> type = info.serialClass();
    boolean refused = info.arrayLength() > elementsMax || (type != null && !allowed.contains(type));
    return refused ? Status.REJECTED : Status.UNDECIDED;
  }

  /// Resolves with the loader of the value's class. The default is the nearest loader on the stack,
  /// which is ours and need not know the user's classes.
  @Override
  protected Class<?> resolveClass(ObjectStreamClass described)
      throws IOException, ClassNotFoundException {
    Class<?> type = Class.forName(described.getName(), false, loader);
    if (!allowed.contains(type)) {
      throw new InvalidClassException(
          described.getName(), "class is not allowed; list it when the codec is made");
    }
    return type;
  }

  @Override
  protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
    throw new InvalidClassException("proxies are not allowed: interfaces=" + interfaces.length);
  }
}
