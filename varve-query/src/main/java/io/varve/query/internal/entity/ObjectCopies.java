package io.varve.query.internal.entity;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Changes objects at some paths: records by new ones, other objects by their setters and fields.
///
/// @param lookup what may reach their members, or null for what any code may
record ObjectCopies(@Nullable Lookup lookup) {
  /// An object with other values: a new record, or the object itself.
  @SuppressWarnings("unchecked") // a record of the same class, or the same object
  <V> V with(V object, Map<String, @Nullable Object> values) {
    return (V) changed(object, values);
  }

  private Object changed(Object object, Map<String, @Nullable Object> values) {
    Map<String, Map<String, @Nullable Object>> inner = new LinkedHashMap<>();
    Map<String, @Nullable Object> direct = new LinkedHashMap<>();
    values.forEach((path, value) -> {
      int dot = path.indexOf('.');
      if (dot < 0) {
        direct.put(path, value);
      } else {
        inner
            .computeIfAbsent(path.substring(0, dot), _ -> new LinkedHashMap<>())
            .put(path.substring(dot + 1), value);
      }
    });
    return object instanceof Record record
        ? newRecord(record, direct, inner)
        : set(object, direct, inner);
  }

  private Object newRecord(
      Record record,
      Map<String, @Nullable Object> direct,
      Map<String, Map<String, @Nullable Object>> inner) {
    RecordComponent[] components = record.getClass().getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    @Nullable Object[] arguments = new @Nullable Object[components.length];
    for (int index = 0; index < components.length; index++) {
      RecordComponent component = components[index];
      String name = component.getName();
      types[index] = component.getType();
      Object present = invoke(component.getAccessor(), record);
      arguments[index] =
          direct.containsKey(name)
              ? fitting(component.getType(), name, direct.get(name))
              : inner.containsKey(name) ? nested(present, name, inner.get(name)) : present;
    }
    try {
      Constructor<?> constructor = record.getClass().getDeclaredConstructor(types);
      reach(constructor, record.getClass());
      return lookup == null
          ? constructor.newInstance(arguments)
          : lookup.unreflectConstructor(constructor).invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw failed(record.getClass(), e);
    }
  }

  private Object nested(
      @Nullable Object present, String name, @Nullable Map<String, @Nullable Object> values) {
    if (present instanceof Optional<?> optional && optional.isPresent() && values != null) {
      return Optional.of(changed(optional.get(), values));
    }
    if (present == null || present instanceof Optional<?> || values == null) {
      throw new IllegalArgumentException("nothing to change there: attribute=" + name);
    }
    return changed(present, values);
  }

  private Object set(
      Object object,
      Map<String, @Nullable Object> direct,
      Map<String, Map<String, @Nullable Object>> inner) {
    direct.forEach((name, value) -> set(object, name, value));
    Map<String, Member> members = new Members(lookup).of(object.getClass());
    for (Map.Entry<String, Map<String, @Nullable Object>> values : inner.entrySet()) {
      Member member = members.get(values.getKey());
      Object present = member == null ? null : member.getter().of(object);
      Object changed = nested(present, values.getKey(), values.getValue());
      if (changed instanceof Record || changed instanceof Optional<?>) {
        set(object, values.getKey(), changed);
      }
    }
    return object;
  }

  private void set(Object object, String name, @Nullable Object value) {
    String setter = "set" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
    for (Method method : object.getClass().getMethods()) {
      if (method.getName().equals(setter) && method.getParameterCount() == 1) {
        invoke(method, object, fitting(method.getParameterTypes()[0], name, value));
        return;
      }
    }
    for (Field field : object.getClass().getFields()) {
      int modifiers = field.getModifiers();
      if (field.getName().equals(name)
          && !Modifier.isFinal(modifiers)
          && !Modifier.isStatic(modifiers)) {
        try {
          reach(field, object.getClass());
          field.set(object, fitting(field.getType(), name, value));
          return;
        } catch (IllegalAccessException e) {
          throw Members.inaccessible(object.getClass(), e);
        }
      }
    }
    throw new IllegalArgumentException(
        "the class has no setter: class=" + object.getClass().getName() + ", attribute=" + name);
  }

  private @Nullable Object invoke(Method method, Object object, @Nullable Object... arguments) {
    try {
      reach(method, object.getClass());
      Lookup by = lookup == null ? MethodHandles.lookup() : lookup;
      return by.unreflect(method).bindTo(object).invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw failed(object.getClass(), e);
    }
  }

  private void reach(AccessibleObject member, Class<?> owner) {
    if (lookup == null && !member.trySetAccessible()) {
      throw Members.inaccessible(owner, null);
    }
  }

  private static @Nullable Object fitting(Class<?> type, String name, @Nullable Object value) {
    return ValueTypes.fitting(type, name, value);
  }

  private static IllegalArgumentException failed(Class<?> type, Throwable cause) {
    return new IllegalArgumentException(
        "the object refuses the change: class=" + type.getName(), cause);
  }
}
