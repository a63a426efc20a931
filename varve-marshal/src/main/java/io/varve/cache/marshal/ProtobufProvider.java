package io.varve.cache.marshal;

import io.varve.cache.Marshaller;
import io.varve.cache.MarshallerProvider;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import org.infinispan.protostream.BaseMarshaller;
import org.infinispan.protostream.ProtobufUtil;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.SerializationContextInitializer;
import org.infinispan.protostream.WrappedMessage;
import org.infinispan.protostream.containers.ElementContainer;
import org.infinispan.protostream.containers.ElementContainerAdapter;

/// Protocol Buffers by ProtoStream, as `protobuf`: for objects of classes that have a schema, which
/// ProtoStream's processor makes from `@ProtoField` and `@ProtoSchema`. Schemas are found as
/// services with the class loader of the cache. Messages within messages are of allowed classes,
/// too. Collections and arrays are fields of messages, and no values of their own.
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
    keepAllowed(context, allowed);
    return new ProtobufMarshaller<>(context, allowed);
  }

  /// Forgets how to read and write what is not allowed, so that no bytes make an object of it, in
  /// whatever message they name it; and containers, which are made as long as their bytes state.
  private static void keepAllowed(SerializationContext context, Predicate<Class<?>> allowed) {
    for (String name : context.getGenericDescriptors().keySet()) {
      if (context.canMarshall(name)) {
        BaseMarshaller<?> marshaller = context.getMarshaller(name);
        Class<?> type = marshaller.getJavaClass();
        if (type != WrappedMessage.class && (!allowed.test(type) || isContainer(marshaller))) {
          context.unregisterMarshaller(marshaller);
        }
      }
    }
  }

  private static boolean isContainer(BaseMarshaller<?> marshaller) {
    return marshaller instanceof ElementContainerAdapter
        || ElementContainer.class.isAssignableFrom(marshaller.getJavaClass());
  }
}
