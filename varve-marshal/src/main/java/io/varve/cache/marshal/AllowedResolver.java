package io.varve.cache.marshal;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.util.DefaultClassResolver;
import java.util.function.Predicate;

/// Refuses classes that are not allowed, when they are written as when they are read. All classes
/// that Kryo does not know by itself come here first, and are written by name.
final class AllowedResolver extends DefaultClassResolver {
  private final Predicate<Class<?>> allowed;

  AllowedResolver(Predicate<Class<?>> allowed) {
    this.allowed = allowed;
  }

  @Override
  @SuppressWarnings("rawtypes") // as it is declared
  public Registration registerImplicit(Class type) {
    if (!isAllowed(type)) {
      throw new KryoException("a class that is not allowed: class=" + type.getTypeName());
    }
    return super.registerImplicit(type);
  }

  /// Whether a class, or what it is an array of, is allowed.
  private boolean isAllowed(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    return element.isPrimitive() || allowed.test(element);
  }
}
