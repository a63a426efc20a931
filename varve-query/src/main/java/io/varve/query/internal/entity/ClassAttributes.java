package io.varve.query.internal.entity;

import io.varve.query.Attribute;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The attributes of a class: its components, fields and getters, and theirs, by paths with dots.
///
/// Collections, arrays and the keys and values of maps have many values; so has each path that
/// leads through one.
///
/// @param <V> the objects
public final class ClassAttributes<V> implements Attributes<V> {
  /// How deep attributes are listed; deeper ones are found when they are asked for.
  private static final int LISTED_DEPTH_MAX = 4;

  private final Class<V> type;
  private final @Nullable Lookup lookup;
  private final Members finder;
  private final Map<Class<?>, Map<String, Member>> members = new ConcurrentHashMap<>();
  private final Map<String, Attribute<V, ?>> found = new ConcurrentHashMap<>();
  private final ObjectCopies copies;

  /// The attributes of a class.
  ///
  /// @param lookup what may reach its members, or null for what any code may
  public ClassAttributes(Class<V> type, @Nullable Lookup lookup) {
    this.type = type;
    this.lookup = lookup;
    this.finder = new Members(lookup);
    this.copies = new ObjectCopies(lookup);
  }

  /// The name of the member that is the key, with its type, if one has the annotation.
  public Optional<Map.Entry<String, Class<?>>> key() {
    for (Member member : members(type).values()) {
      if (member.isKey()) {
        return Optional.of(Map.entry(member.name(), wrapped(raw(member.type()))));
      }
    }
    return Optional.empty();
  }

  /// The attributes of another class, reached in the same way.
  public <T> ClassAttributes<T> of(Class<T> other) {
    return new ClassAttributes<>(other, lookup);
  }

  private Map<String, Member> members(Class<?> owner) {
    return members.computeIfAbsent(owner, finder::of);
  }

  @Override
  public @Nullable Attribute<V, ?> find(String path) {
    Attribute<V, ?> known = found.get(path);
    if (known != null) {
      return known;
    }
    Attribute<V, ?> resolved = resolve(path);
    if (resolved != null) {
      found.put(path, resolved);
    }
    return resolved;
  }

  private @Nullable Attribute<V, ?> resolve(String path) {
    List<Member.Step> steps = new ArrayList<>();
    boolean isMany = false;
    Type at = type;
    for (String name : path.split("\\.", -1)) {
      Stop stop = step(at, name);
      if (stop == null) {
        return null;
      }
      isMany |= stop.isMany();
      at = stop.type();
      steps.add(stop.step());
    }
    return attribute(path, wrapped(raw(at)), List.copyOf(steps), isMany);
  }

  @SuppressWarnings("unchecked") // the steps give objects of the type that they were found by
  private Attribute<V, ?> attribute(
      String path, Class<?> valueType, List<Member.Step> steps, boolean isMany) {
    Class<Object> of = (Class<Object>) valueType;
    if (isMany) {
      return Attribute.each(path, of, object -> elements(object, steps));
    }
    return steps.size() == 1
        ? Attribute.of(path, of, object -> unwrapped(steps.getFirst().of(object)))
        : Attribute.of(path, of, object -> walk(object, steps));
  }

  private static @Nullable Object walk(Object object, List<Member.Step> steps) {
    Object at = object;
    for (Member.Step step : steps) {
      if (at == null) {
        return null;
      }
      at = unwrapped(step.of(at));
    }
    return at;
  }

  private static @Nullable Object unwrapped(@Nullable Object value) {
    return value instanceof Optional<?> optional ? optional.orElse(null) : value;
  }

  private static List<@Nullable Object> elements(Object object, List<Member.Step> steps) {
    List<@Nullable Object> elements = new ArrayList<>();
    collect(object, steps, 0, elements);
    return elements;
  }

  private static void collect(
      @Nullable Object at, List<Member.Step> steps, int next, List<@Nullable Object> elements) {
    if (at instanceof Iterable<?> each && !(at instanceof java.nio.file.Path)) {
      for (Object element : each) {
        collect(unwrapped(element), steps, next, elements);
      }
    } else if (at != null && at.getClass().isArray() && !(at instanceof byte[])) {
      for (int index = 0; index < java.lang.reflect.Array.getLength(at); index++) {
        collect(java.lang.reflect.Array.get(at, index), steps, next, elements);
      }
    } else if (next == steps.size()) {
      elements.add(at);
    } else if (at != null) {
      Object value = unwrapped(steps.get(next).of(at));
      if (value != null || next + 1 < steps.size()) {
        collect(value, steps, next + 1, elements);
      }
    }
  }

  /// Where a step of a path leads.
  private record Stop(Type type, Member.Step step, boolean isMany) {}

  private @Nullable Stop step(Type from, String name) {
    if (raw(from) == Map.class || Map.class.isAssignableFrom(raw(from))) {
      return stepOfMap(from, name);
    }
    Member member = members(raw(from)).get(name);
    return member == null ? null : stop(member.type(), member.getter());
  }

  private static Stop stop(Type to, Member.Step step) {
    Class<?> raw = raw(to);
    if (raw == Optional.class) {
      return stop(argument(to, 0), step);
    }
    if (raw.isArray() && raw != byte[].class) {
      Type element = to instanceof GenericArrayType array ? array.getGenericComponentType() : raw;
      return new Stop(element == raw ? raw.getComponentType() : element, step, true);
    }
    if (Iterable.class.isAssignableFrom(raw)
        && raw.getName().startsWith("java.")
        && !java.nio.file.Path.class.isAssignableFrom(raw)) {
      return new Stop(argument(to, 0), step, true);
    }
    return new Stop(to, step, false);
  }

  private static Stop stepOfMap(Type map, String name) {
    return switch (name) {
      case "keys" -> new Stop(argument(map, 0), of -> ((Map<?, ?>) of).keySet(), true);
      case "values" -> new Stop(argument(map, 1), of -> ((Map<?, ?>) of).values(), true);
      default -> stop(argument(map, 1), of -> ((Map<?, ?>) of).get(name));
    };
  }

  private static Type argument(Type type, int index) {
    return type instanceof ParameterizedType generic
            && generic.getActualTypeArguments().length > index
        ? generic.getActualTypeArguments()[index]
        : Object.class;
  }

  private static Class<?> raw(Type type) {
    return switch (type) {
      case Class<?> plain -> plain;
      case ParameterizedType generic -> (Class<?>) generic.getRawType();
      case GenericArrayType array -> raw(array.getGenericComponentType()).arrayType();
      case WildcardType wildcard -> raw(wildcard.getUpperBounds()[0]);
      case TypeVariable<?> variable -> raw(variable.getBounds()[0]);
      default -> Object.class;
    };
  }

  private static Class<?> wrapped(Class<?> type) {
    return MethodType.methodType(type).wrap().returnType();
  }

  @Override
  public List<Attribute<V, ?>> list() {
    Map<String, Attribute<V, ?>> listed = new LinkedHashMap<>();
    list("", type, List.of(), listed);
    return List.copyOf(listed.values());
  }

  private void list(
      String prefix, Class<?> owner, List<Class<?>> above, Map<String, Attribute<V, ?>> listed) {
    if (above.size() >= LISTED_DEPTH_MAX || above.contains(owner)) {
      return;
    }
    List<Class<?>> path = new ArrayList<>(above);
    path.add(owner);
    for (Member member : members(owner).values()) {
      Attribute<V, ?> attribute = find(prefix + member.name());
      if (attribute != null) {
        listed.put(attribute.path(), attribute);
        list(attribute.path() + ".", attribute.type(), path, listed);
      }
    }
  }

  @Override
  public V with(V object, Map<String, @Nullable Object> values) {
    return copies.with(object, values);
  }

  @Override
  public V with(V object, Map<String, @Nullable Object> values, List<Runnable> undo) {
    return copies.with(object, values, undo);
  }

  @Override
  public void check(V object, Map<String, @Nullable Object> values) {
    copies.check(object, values);
  }
}
