package io.varve.query.internal.entity;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Changes objects at some paths: records by new ones, other objects by their setters and fields.
/// No setter runs before each value is found to fit.
///
/// @param lookup what may reach their members, or null for what any code may
record ObjectCopies(@Nullable Lookup lookup) {
  /// An object with other values: a new record, or the object itself.
  @SuppressWarnings("unchecked") // a record of the same class, or the same object
  <V> V with(V object, Map<String, @Nullable Object> values) {
    List<Setting> settings = new ArrayList<>();
    Object changed = changed(object, values, settings);
    settings.forEach(Setting::set);
    return (V) changed;
  }

  /// The same, and what takes it back.
  @SuppressWarnings("unchecked") // a record of the same class, or the same object
  <V> V with(V object, Map<String, @Nullable Object> values, List<Runnable> undo) {
    List<Setting> settings = new ArrayList<>();
    Object changed = changed(object, values, settings);
    for (Setting setting : settings) {
      undo.addFirst(back(setting));
      setting.set();
    }
    return (V) changed;
  }

  /// Refuses what [#with] would, except what a setter throws. Changes nothing.
  void check(Object object, Map<String, @Nullable Object> values) {
    changed(object, values, new ArrayList<>());
  }

  /// One value that an object gets.
  ///
  /// @param type of what the setter takes
  private record Setting(
      Object object,
      String name,
      Class<?> type,
      @Nullable Object value,
      Consumer<@Nullable Object> setter) {
    void set() {
      setter.accept(value);
    }
  }

  /// What gives an object the value again that it has now.
  private Runnable back(Setting setting) {
    Member member = new Members(lookup).of(setting.object().getClass()).get(setting.name());
    if (member == null) {
      return () -> {}; // No query reads it, and no index has it.
    }
    Object present = member.getter().of(setting.object());
    Object value = present instanceof Optional<?> optional ? optional.orElse(null) : present;
    Object before = fitting(setting.type(), setting.name(), value);
    return () -> setting.setter().accept(before);
  }

  /// @param settings takes what changes objects in place
  private Object changed(
      Object object, Map<String, @Nullable Object> values, List<Setting> settings) {
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
        ? newRecord(record, direct, inner, settings)
        : set(object, direct, inner, settings);
  }

  private Object newRecord(
      Record record,
      Map<String, @Nullable Object> direct,
      Map<String, Map<String, @Nullable Object>> inner,
      List<Setting> settings) {
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
              : inner.containsKey(name)
                  ? nested(present, name, inner.get(name), settings)
                  : present;
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
      @Nullable Object present,
      String name,
      @Nullable Map<String, @Nullable Object> values,
      List<Setting> settings) {
    if (present instanceof Optional<?> optional && optional.isPresent() && values != null) {
      return Optional.of(changed(optional.get(), values, settings));
    }
    if (present == null || present instanceof Optional<?> || values == null) {
      throw new IllegalArgumentException("nothing to change there: attribute=" + name);
    }
    return changed(present, values, settings);
  }

  private Object set(
      Object object,
      Map<String, @Nullable Object> direct,
      Map<String, Map<String, @Nullable Object>> inner,
      List<Setting> settings) {
    direct.forEach((name, value) -> settings.add(setting(object, name, value)));
    Map<String, Member> members = new Members(lookup).of(object.getClass());
    for (Map.Entry<String, Map<String, @Nullable Object>> values : inner.entrySet()) {
      Member member = members.get(values.getKey());
      Object present = member == null ? null : member.getter().of(object);
      Object changed = nested(present, values.getKey(), values.getValue(), settings);
      if (changed instanceof Record || changed instanceof Optional<?>) {
        settings.add(setting(object, values.getKey(), changed));
      }
    }
    return object;
  }

  private Setting setting(Object object, String name, @Nullable Object value) {
    String setter = "set" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
    for (Method method : object.getClass().getMethods()) {
      if (method.getName().equals(setter) && method.getParameterCount() == 1) {
        Class<?> type = method.getParameterTypes()[0];
        return new Setting(
            object, name, type, fitting(type, name, value), to -> invoke(method, object, to));
      }
    }
    for (Field field : object.getClass().getFields()) {
      int modifiers = field.getModifiers();
      if (field.getName().equals(name)
          && !Modifier.isFinal(modifiers)
          && !Modifier.isStatic(modifiers)) {
        Class<?> type = field.getType();
        return new Setting(
            object, name, type, fitting(type, name, value), to -> set(field, object, to));
      }
    }
    throw new IllegalArgumentException(
        "the class has no setter: class=" + object.getClass().getName() + ", attribute=" + name);
  }

  private void set(Field field, Object object, @Nullable Object value) {
    try {
      reach(field, object.getClass());
      field.set(object, value);
    } catch (IllegalAccessException e) {
      throw Members.inaccessible(object.getClass(), e);
    }
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
