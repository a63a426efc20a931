package io.varve.cache.marshal;

import io.varve.cache.Marshaller;
import io.varve.cache.MarshallerProvider;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import org.infinispan.protostream.ProtobufUtil;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.SerializationContextInitializer;

/// Protocol Buffers by ProtoStream, as `protobuf`: for objects of classes that have a schema, which
/// ProtoStream's processor makes from `@ProtoField` and `@ProtoSchema`. Schemas are found as
/// services with the class loader of the cache.
public final class ProtobufProvider implements MarshallerProvider {
  /// Made by [ServiceLoader].
  public ProtobufProvider() {}

  @Override
  public String name() {
    return "protobuf";
  }

  @Override
  public <T> Marshaller<T> ofValues(
      Class<T> type, ClassLoader loader, Predicate<Class<?>> allowed) {
    SerializationContext context = ProtobufUtil.newSerializationContext();
    for (SerializationContextInitializer schema :
        ServiceLoader.load(SerializationContextInitializer.class, loader)) {
      schema.register(context);
    }
    return new ProtobufMarshaller<>(context, allowed);
  }
}
