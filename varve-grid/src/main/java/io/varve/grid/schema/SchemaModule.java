package io.varve.grid.schema;

import io.varve.infinispan.VarveModule;
import org.infinispan.factories.EmptyConstructorFactory;
import org.infinispan.marshall.protostream.impl.SerializationContextRegistry;
import org.infinispan.marshall.protostream.impl.SerializationContextRegistryImpl;

/// Puts [SchemaRegistry] where Infinispan has its own.
public final class SchemaModule extends VarveModule {
  /// For the service loader.
  public SchemaModule() {
    super("varve-schema", "core");
  }

  private static final class Factory extends EmptyConstructorFactory {
    @Override
    public Object construct(String componentName) {
      return new SchemaRegistry();
    }
  }

  @Override
  public void registerMetadata(ModuleBuilder builder) {
    registerFactory(
        builder,
        GLOBAL,
        Factory::new,
        EmptyConstructorFactory.class,
        SerializationContextRegistry.class.getName());
    registerComponent(
        builder, GLOBAL, SchemaRegistry.class, SerializationContextRegistryImpl.class);
  }
}
