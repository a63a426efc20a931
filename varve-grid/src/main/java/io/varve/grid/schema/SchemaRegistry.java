package io.varve.grid.schema;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.infinispan.marshall.protostream.impl.SerializationContextRegistryImpl;
import org.infinispan.protostream.FileDescriptorSource;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.SerializationContextInitializer;

/// The contexts of a node, each of which takes a schema once.
///
/// Some dozen modules of Infinispan 16.0.7 add a schema of their own. Each adds with it the schemas
/// that it builds on, which end in the same few each time. A context parses what it is given,
/// removes each type that it has of that file, and copies arrays of 16 KiB for each: over half of
/// the work of a start, and 1 GB of garbage.
final class SchemaRegistry extends SerializationContextRegistryImpl {
  private final Map<MarshallerType, RegisteredFiles> files = new EnumMap<>(MarshallerType.class);

  SchemaRegistry() {
    for (MarshallerType type : MarshallerType.values()) {
      files.put(type, new RegisteredFiles());
    }
  }

  private RegisteredFiles files(MarshallerType type) {
    return Objects.requireNonNull(files.get(type), "each type has one");
  }

  @Override
  public void addContextInitializer(MarshallerType type, SerializationContextInitializer added) {
    super.addContextInitializer(
        type,
        new SerializationContextInitializer() {
          @Override
          public void registerSchema(SerializationContext context) {
            added.registerSchema(files(type).skippingKnown(context));
          }

          @Override
          public void registerMarshallers(SerializationContext context) {
            added.registerMarshallers(context);
          }
        });
  }

  @Override
  public void addProtoFile(MarshallerType type, FileDescriptorSource source) {
    source.getFiles().keySet().forEach(files(type)::forget);
    super.addProtoFile(type, source);
  }

  @Override
  public void removeProtoFile(MarshallerType type, String name) {
    files(type).forget(name);
    super.removeProtoFile(type, name);
  }
}
