package io.varve.internal.codec;

import io.varve.Codec;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Finds how records of a type are made and taken apart: once, when their codec is made.
///
/// @param type the records
/// @param lookup what may do so, or null for what anybody may
record RecordAccess(Class<? extends Record> type, @Nullable Lookup lookup) {
  /// The most components that one byte counts.
  private static final int COMPONENTS_MAX = 255;

  RecordAccess {
    if (!type.isRecord() || type.getRecordComponents().length > COMPONENTS_MAX) {
      throw new IllegalArgumentException("no record of this program: class=" + type.getName());
    }
  }

  /// The components.
  ///
  /// @param codecs gives the codec of a component of a record
  List<CodedComponent> components(BiFunction<Class<?>, RecordComponent, Codec<Object>> codecs) {
    List<CodedComponent> components = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      components.add(
          new CodedComponent(
              component.getName(),
              MethodType.methodType(component.getType()).wrap().returnType(),
              accessor(component.getAccessor()),
              codecs.apply(type, component),
              null));
    }
    return components;
  }

  private MethodHandle accessor(Method method) {
    try {
      return lookupFor(method)
          .unreflect(method)
          .asType(MethodType.methodType(Object.class, Object.class));
    } catch (IllegalAccessException e) {
      throw inaccessible(e);
    }
  }

  /// From an array of components to a record.
  MethodHandle constructor() {
    Class<?>[] types = new Class<?>[type.getRecordComponents().length];
    for (int index = 0; index < types.length; index++) {
      types[index] = type.getRecordComponents()[index].getType();
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      return lookupFor(constructor)
          .unreflectConstructor(constructor)
          .asSpreader(Object[].class, types.length)
          .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException("record without a constructor: " + type.getName(), e);
    } catch (IllegalAccessException e) {
      throw inaccessible(e);
    }
  }

  private Lookup lookupFor(AccessibleObject member) {
    if (lookup != null) {
      return lookup;
    }
    if (!member.trySetAccessible()) {
      throw inaccessible(null);
    }
    return MethodHandles.lookup();
  }

  private IllegalArgumentException inaccessible(@Nullable Throwable cause) {
    return new IllegalArgumentException(
        "record cannot be reached from here: record="
            + type.getName()
            + ", package="
            + type.getPackageName()
            + "; make the codec by Codec.record(type, MethodHandles.lookup()), or open the package"
            + " to io.varve",
        cause);
  }
}
