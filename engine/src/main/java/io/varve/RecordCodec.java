package io.varve;

/// A codec of records, by their components: see [Codec#record(Class)].
///
/// ```java
/// record Person(String name, int born, Optional<String> mail) {}
///
/// static final Codec<Person> PERSON =
///     Codec.record(Person.class).withDefault("mail", Optional.empty()); // added later
/// ```
///
/// Each method makes another codec; this one stays as it is. Thread-safe, as all codecs are.
///
/// @param <R> the records
/// @since 1.0
public interface RecordCodec<R extends Record> extends Codec<R> {
  /// A codec that writes one component by `codec`: for types that have none of their own, or to be
  /// written otherwise than they are.
  ///
  /// @param component the name of the component
  /// @param codec of the component's type, boxed if it is primitive
  /// @throws IllegalArgumentException if the record has no such component
  RecordCodec<R> with(String component, Codec<?> codec);

  /// A codec that reads bytes of an older version of the record with that value for the component.
  /// The older version lacks the component and all after it. They are read if each component that
  /// they lack has a default.
  ///
  /// @param component the name of the component
  /// @param value of the component's type; it is given to each record that is read so
  /// @throws IllegalArgumentException if the record has no such component, or it is of another type
  RecordCodec<R> withDefault(String component, Object value);
}
