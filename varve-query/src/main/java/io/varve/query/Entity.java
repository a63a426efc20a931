package io.varve.query;

import io.varve.query.internal.entity.Attributes;
import io.varve.query.internal.entity.ClassAttributes;
import io.varve.query.internal.entity.DocumentAttributes;
import io.varve.query.internal.entity.ListedAttributes;
import io.varve.query.internal.entity.NearestName;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What queries can ask of the objects of a table: attributes by path.
///
/// ```java
/// static final Entity<Person> PERSON = Entity.of(Person.class);
/// ```
///
/// Immutable.
///
/// @param <V> the objects
/// @since 1.0
public final class Entity<V> {
  private final String name;
  private final Class<?> type;
  private final Attributes<V> attributes;
  private final @Nullable String keyPath;
  private final Class<?> keyType;

  private Entity(
      String name,
      Class<?> type,
      Attributes<V> attributes,
      @Nullable String keyPath,
      Class<?> keyType) {
    this.name = Objects.requireNonNull(name, "name");
    this.type = Objects.requireNonNull(type, "type");
    this.attributes = attributes;
    this.keyPath = keyPath;
    this.keyType = Objects.requireNonNull(keyType, "keyType");
  }

  /// The components of a record; of another class its public fields and getters. Paths with dots
  /// lead to those of nested objects. Collections and arrays have many values.
  ///
  /// @throws IllegalArgumentException if the class cannot be reached; then give a lookup
  public static <V> Entity<V> of(Class<V> type) {
    return of(new ClassAttributes<>(Objects.requireNonNull(type, "type"), null), type);
  }

  /// The same for a class that only the lookup can reach: `MethodHandles.lookup()`.
  public static <V> Entity<V> of(Class<V> type, Lookup lookup) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(lookup, "lookup");
    return of(new ClassAttributes<>(type, lookup), type);
  }

  private static <V> Entity<V> of(ClassAttributes<V> attributes, Class<V> type) {
    Optional<Map.Entry<String, Class<?>>> key = attributes.key();
    return new Entity<>(
        type.getSimpleName(),
        type,
        attributes,
        key.map(Map.Entry::getKey).orElse(null),
        key.<Class<?>>map(Map.Entry::getValue).orElse(Object.class));
  }

  /// These attributes, and no others.
  public static <V> Entity<V> of(String name, Class<V> type, List<Attribute<V, ?>> attributes) {
    Objects.requireNonNull(attributes, "attributes");
    return new Entity<>(name, type, new ListedAttributes<>(attributes), null, Object.class);
  }

  /// Documents: each path is an attribute of mixed type, `tags[]` the elements of an array.
  public static Entity<JsonNode> documents(String name) {
    return new Entity<>(name, JsonNode.class, new DocumentAttributes(), null, Object.class);
  }

  /// This with the type of the keys, so that texts in queries are converted to it.
  public Entity<V> withKeys(Class<?> keys) {
    return new Entity<>(name, type, attributes, keyPath, keys);
  }

  /// What queries may call the objects, next to the name of their table.
  public String name() {
    return name;
  }

  /// The class of the objects.
  public Class<?> type() {
    return type;
  }

  /// The type of the keys; `Object` if it is not known.
  public Class<?> keyType() {
    return keyType;
  }

  /// The path that is the key of an entry, or null if the class names none.
  public @Nullable String keyPath() {
    return keyPath;
  }

  /// The attribute of a path, or null if there is none.
  public @Nullable Attribute<V, ?> find(String path) {
    return attributes.find(Objects.requireNonNull(path, "path"));
  }

  /// The attribute of a path.
  ///
  /// @throws IllegalArgumentException if there is none; names the nearest one
  public Attribute<V, ?> attribute(String path) {
    Attribute<V, ?> attribute = find(path);
    if (attribute == null) {
      String nearest = nearest(path);
      throw new IllegalArgumentException(
          "no such attribute: entity="
              + name
              + ", path="
              + path
              + (nearest == null ? "" : ", nearest=" + nearest));
    }
    return attribute;
  }

  /// The attributes that are known; of documents none.
  public List<Attribute<V, ?>> attributes() {
    return attributes.list();
  }

  /// The path of the attribute whose name is most like one, or null if none is like it.
  public @Nullable String nearest(String path) {
    return NearestName.of(
        Objects.requireNonNull(path, "path"), attributes().stream().map(Attribute::path).toList());
  }

  /// What queries can ask of the elements of an attribute with many values.
  public Entity<?> elements(Attribute<?, ?> attribute) {
    if (attributes instanceof DocumentAttributes) {
      return documents(attribute.path());
    }
    return elements(attribute.type());
  }

  private <T> Entity<T> elements(Class<T> elements) {
    return attributes instanceof ClassAttributes<V> ofClass
        ? of(ofClass.of(elements), elements)
        : of(elements.getSimpleName(), elements, List.of());
  }

  /// An object with other values at some paths: a new record, a changed copy of a document, or the
  /// object itself, changed by its setters.
  public V with(V object, Map<String, @Nullable Object> values) {
    return attributes.with(object, values);
  }

  /// An object with other values at some paths, and what takes the change back. Not for two threads
  /// at a time with one object.
  ///
  /// @param undo takes what sets the values back that the object had, in the order in which to run
  ///   it, also if this throws; nothing if the object itself is not changed
  /// @throws IllegalArgumentException if a path cannot be changed, or a value does not fit
  public V with(V object, Map<String, @Nullable Object> values, List<Runnable> undo) {
    return attributes.with(object, values, undo);
  }

  /// Checks whether an object can have other values at some paths, and changes nothing.
  ///
  /// @throws IllegalArgumentException if a path cannot be changed, or a value does not fit
  public void check(V object, Map<String, @Nullable Object> values) {
    attributes.check(object, values);
  }

  @Override
  public String toString() {
    return name;
  }
}
