package io.varve.cache.marshal;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.util.DefaultClassResolver;
import java.io.Serializable;
import java.lang.reflect.Modifier;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/// Refuses classes that are not allowed, when they are written as when they are read. All classes
/// that Kryo does not know itself come here first, and are written by name.
///
/// What is allowed of the JDK is defined for Java serialization, which makes objects of
/// [Serializable] classes alone. Kryo would call the constructor of any, and so only those are
/// taken here, too.
final class AllowedResolver extends DefaultClassResolver {
  /// Those of the JDK that Kryo itself writes, though they are not serializable.
  private static final Set<Class<?>> OTHER_VALUES =
      Set.of(
          Object.class,
          Optional.class,
          OptionalInt.class,
          OptionalLong.class,
          OptionalDouble.class);

  private final Predicate<Class<?>> allowed;
  private boolean hasNewClass;

  AllowedResolver(Predicate<Class<?>> allowed) {
    this.allowed = allowed;
  }

  @Override
  @SuppressWarnings("rawtypes") // as it is declared
  public Registration registerImplicit(Class type) {
    if (!isAllowed(type)) {
      throw new KryoException("a class that is not allowed: class=" + type.getTypeName());
    }
    hasNewClass = true;
    return super.registerImplicit(type);
  }

  /// Whether a class was met for the first time since this was asked last.
  boolean hadNewClass() {
    boolean had = hasNewClass;
    hasNewClass = false;
    return had;
  }

  @Override
  public Registration readClass(Input input) {
    return ((BoundedInput) input).uncounted(() -> super.readClass(input));
  }

  /// Whether a class, or what it is an array of, is allowed.
  private boolean isAllowed(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    return element.isPrimitive() || (allowed.test(element) && isValue(element));
  }

  /// Abstract classes are those of arrays, and have no objects.
  private static boolean isValue(Class<?> type) {
    return !isOfJdk(type)
        || Modifier.isAbstract(type.getModifiers())
        || Serializable.class.isAssignableFrom(type)
        || OTHER_VALUES.contains(type);
  }

  private static boolean isOfJdk(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader.equals(ClassLoader.getPlatformClassLoader());
  }
}
