package io.varve.cache.internal.marshal;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How objects of a class that is not serializable are taken apart and made again: records by their
/// canonical constructor, others by a constructor without parameters and their fields.
///
/// A field that was not written is null, 0 or false, and one that is no longer there is left out.
final class PlainShape {
  private static final ClassValue<PlainShape> SHAPES =
      new ClassValue<>() {
        @Override
        protected PlainShape computeValue(Class<?> type) {
          return new PlainShape(type);
        }
      };

  private static final String OPTIONAL_VALUE = "value";

  private final Class<?> type;
  private final List<Field> fields = new ArrayList<>();
  private final String[] names;

  /// Null for an [Optional].
  private final @Nullable Constructor<?> constructor;

  /// Why there are no objects of this shape; null if there are.
  private final @Nullable String obstacle;

  private PlainShape(Class<?> type) {
    this.type = type;
    this.constructor = constructorOf(type);
    this.obstacle = findObstacle();
    this.names =
        type == Optional.class
            ? new String[] {OPTIONAL_VALUE}
            : fields.stream()
                .map(field ->
                    field.getDeclaringClass() == type
                        ? field.getName()
                        : field.getDeclaringClass().getName() + "." + field.getName())
                .toArray(String[]::new);
  }

  /// The shape of a class.
  ///
  /// @throws NotSerializableException if its objects cannot be made of their fields
  static PlainShape of(Class<?> type) throws NotSerializableException {
    PlainShape shape = SHAPES.get(type);
    if (shape.obstacle != null) {
      throw new NotSerializableException(type.getName() + ", since " + shape.obstacle);
    }
    return shape;
  }

  private static @Nullable Constructor<?> constructorOf(Class<?> type) {
    if (AllowedClasses.isOfJdk(type) || type.isArray() || type.isInterface()) {
      return null;
    }
    Class<?>[] parameters =
        type.isRecord()
            ? Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new)
            : new Class<?>[0];
    try {
      return type.getDeclaredConstructor(parameters);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  private @Nullable String findObstacle() {
    if (type == Optional.class) {
      return null;
    }
    if (constructor == null || Modifier.isAbstract(type.getModifiers())) {
      return "it is no record and has no constructor without parameters";
    }
    for (Class<?> each = type; each != Object.class && each != Record.class; ) {
      if (AllowedClasses.isOfJdk(each)) {
        return "it extends a class of the JDK that is not serializable";
      }
      for (Field field : each.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())
            && !Modifier.isTransient(field.getModifiers())) {
          fields.add(field);
        }
      }
      each = each.getSuperclass();
    }
    boolean isOpen =
        constructor.trySetAccessible()
            && fields.stream().allMatch(AccessibleObject::trySetAccessible);
    return isOpen ? null : "its module does not open its package to io.varve.cache";
  }

  /// The name of the class, always the same object.
  String typeName() {
    return type.getName();
  }

  /// The names of the fields, always the same array.
  String[] names() {
    return names;
  }

  /// What the fields hold, in the order of their names.
  @Nullable Object[] parts(Object object) throws IOException {
    if (object instanceof Optional<?> optional) {
      return new @Nullable Object[] {optional.orElse(null)};
    }
    try {
      @Nullable Object[] parts = new @Nullable Object[fields.size()];
      for (int i = 0; i < parts.length; i++) {
        parts[i] = fields.get(i).get(object);
      }
      return parts;
    } catch (IllegalAccessException e) {
      throw new IOException("fields cannot be read: class=" + type.getName(), e);
    }
  }

  /// What a field takes that was not written.
  private static @Nullable Object valueOf(Field field, @Nullable Object written) {
    Class<?> type = field.getType();
    return written == null && type.isPrimitive()
        ? Array.get(Array.newInstance(type, 1), 0)
        : written;
  }

  /// Makes an object of what its fields held.
  Object make(Map<String, @Nullable Object> parts) throws IOException {
    if (constructor == null) {
      return Optional.ofNullable(parts.get(OPTIONAL_VALUE));
    }
    try {
      if (type.isRecord()) {
        @Nullable Object[] arguments = new @Nullable Object[names.length];
        for (int i = 0; i < arguments.length; i++) {
          arguments[i] = valueOf(fields.get(i), parts.get(names[i]));
        }
        return constructor.newInstance(arguments);
      }
      Object made = constructor.newInstance();
      for (int i = 0; i < names.length; i++) {
        fields.get(i).set(made, valueOf(fields.get(i), parts.get(names[i])));
      }
      return made;
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      InvalidObjectException failure =
          new InvalidObjectException("an object cannot be made: class=" + type.getName());
      failure.initCause(e);
      throw failure;
    }
  }
}
