package io.varve.cache.mapreduce;

import io.varve.cache.Marshaller;
import io.varve.cache.Marshallers;

/// The marshallers of jobs that name none: of objects of the JDK. Constants, so that a job that is
/// sent to another process finds those of that process.
enum DefaultMarshaller implements Marshaller<Object> {
  KEYS(Marshallers.ofKeys(Object.class, DefaultMarshaller.class.getClassLoader())),
  VALUES(Marshallers.ofType(Object.class, DefaultMarshaller.class.getClassLoader()));

  private final transient Marshaller<Object> marshaller;

  DefaultMarshaller(Marshaller<Object> marshaller) {
    this.marshaller = marshaller;
  }

  @SuppressWarnings("unchecked") // it writes and reads any object
  <T> Marshaller<T> of() {
    return (Marshaller<T>) this;
  }

  @Override
  public byte[] toBytes(Object object) {
    return marshaller.toBytes(object);
  }

  @Override
  public Object fromBytes(byte[] bytes) {
    return marshaller.fromBytes(bytes);
  }
}
