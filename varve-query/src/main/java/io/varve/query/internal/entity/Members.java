package io.varve.query.internal.entity;

import io.varve.query.Key;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the members of classes by reflection, once each, and reads them by method handles.
///
/// @param lookup what may reach them, or null for what any code may
record Members(@Nullable Lookup lookup) {
  /// The members of a class by name. Classes of the JDK are values, and have none.
  Map<String, Member> of(Class<?> type) {
    Map<String, Member> members = new LinkedHashMap<>();
    if (type.isPrimitive() || type.isArray() || type.isEnum() || isOfJdk(type)) {
      return members;
    }
    if (type.isRecord()) {
      for (RecordComponent component : type.getRecordComponents()) {
        add(
            members,
            type,
            component.getName(),
            component.getGenericType(),
            component.getAccessor());
      }
      return members;
    }
    for (Field field : type.getFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        add(members, type, field.getName(), field.getGenericType(), field);
      }
    }
    for (Method method : type.getMethods()) {
      String name = property(method);
      if (name != null && !members.containsKey(name)) {
        add(members, type, name, method.getGenericReturnType(), method);
      }
    }
    return members;
  }

  private static boolean isOfJdk(Class<?> type) {
    return type.getName().startsWith("java.") || type.getName().startsWith("javax.");
  }

  /// The name of the property that a getter is of, or null for other methods.
  private static @Nullable String property(Method method) {
    boolean isGetter =
        method.getParameterCount() == 0
            && !Modifier.isStatic(method.getModifiers())
            && method.getDeclaringClass() != Object.class
            && method.getReturnType() != void.class;
    String name = method.getName();
    if (isGetter && name.startsWith("get") && name.length() > 3) {
      return decapitalized(name.substring(3));
    }
    boolean isTruth = isGetter && method.getReturnType() == boolean.class;
    return isTruth && name.startsWith("is") && name.length() > 2
        ? decapitalized(name.substring(2))
        : null;
  }

  private static String decapitalized(String name) {
    boolean isAbbreviation =
        name.length() > 1
            && Character.isUpperCase(name.charAt(0))
            && Character.isUpperCase(name.charAt(1));
    return isAbbreviation
        ? name
        : name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
  }

  private void add(
      Map<String, Member> members,
      Class<?> owner,
      String name,
      Type memberType,
      AccessibleObject accessor) {
    boolean isKey = annotation(owner, name, accessor, Key.class) != null;
    members.put(name, new Member(name, memberType, getter(owner, accessor), isKey));
  }

  /// An annotation of a component, a getter, or of the field of that name.
  static <A extends Annotation> @Nullable A annotation(
      Class<?> owner, String name, AccessibleObject accessor, Class<A> annotation) {
    A found = accessor.getAnnotation(annotation);
    for (Class<?> type = owner; found == null && type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().equals(name) && field.isAnnotationPresent(annotation)) {
          found = field.getAnnotation(annotation);
        }
      }
    }
    return found;
  }

  private Member.Step getter(Class<?> owner, AccessibleObject accessor) {
    MethodHandle handle = handle(owner, accessor);
    return object -> {
      try {
        return (Object) handle.invokeExact(object);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalArgumentException("a getter failed: class=" + owner.getName(), e);
      }
    };
  }

  private MethodHandle handle(Class<?> owner, AccessibleObject accessor) {
    try {
      if (lookup == null && !accessor.trySetAccessible()) {
        throw inaccessible(owner, null);
      }
      Lookup by = lookup == null ? MethodHandles.lookup() : lookup;
      MethodHandle handle =
          accessor instanceof Method method
              ? by.unreflect(method)
              : by.unreflectGetter((Field) accessor);
      return handle.asType(MethodType.methodType(Object.class, Object.class));
    } catch (IllegalAccessException e) {
      throw inaccessible(owner, e);
    }
  }

  static IllegalArgumentException inaccessible(Class<?> owner, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "the class cannot be reached from here: class="
            + owner.getName()
            + "; make the entity by Entity.of(type, MethodHandles.lookup()), or open the package "
            + owner.getPackageName()
            + " to io.varve.query",
        cause);
  }
}
