package io.varve.bench.people;

import com.googlecode.cqengine.persistence.support.serialization.PersistenceConfig;
import com.googlecode.cqengine.persistence.support.serialization.PojoSerializer;
import io.varve.Codec;

/// The bytes of persons for CQEngine, whose own serializer makes no records: those that Varve
/// stores.
public final class PersonBytes implements PojoSerializer<Person> {
  private static final Codec<Person> CODEC = Codec.record(Person.class);

  /// Called by CQEngine.
  ///
  /// @param type persons
  /// @param settings of its annotation
  public PersonBytes(Class<?> type, PersistenceConfig settings) {
    if (type != Person.class) {
      throw new IllegalArgumentException(
          "not a class of persons: type=" + type.getName() + ", settings=" + settings);
    }
  }

  @Override
  public byte[] serialize(Person person) {
    return CODEC.encode(person);
  }

  @Override
  public Person deserialize(byte[] bytes) {
    return CODEC.decode(bytes);
  }
}
