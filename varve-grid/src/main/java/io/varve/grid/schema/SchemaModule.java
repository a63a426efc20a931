package io.varve.grid.schema;

import java.util.Collection;
import java.util.List;
import org.infinispan.factories.EmptyConstructorFactory;
import org.infinispan.factories.impl.ComponentAccessor;
import org.infinispan.factories.impl.ModuleMetadataBuilder;
import org.infinispan.lifecycle.ModuleLifecycle;
import org.infinispan.marshall.protostream.impl.SerializationContextRegistry;
import org.infinispan.marshall.protostream.impl.SerializationContextRegistryImpl;

/// Puts [SchemaRegistry] where Infinispan has its own. Infinispan finds this as a service; what
/// others have made by its annotation processor is written here.
public final class SchemaModule implements ModuleMetadataBuilder {
  private static final int GLOBAL = 0; // as the processor writes it

  /// For the service loader.
  public SchemaModule() {}

  private static final class Factory extends EmptyConstructorFactory {
    @Override
    public Object construct(String componentName) {
      return new SchemaRegistry();
    }
  }

  @Override
  public String getModuleName() {
    return "varve-schema";
  }

  @Override
  public Collection<String> getRequiredDependencies() {
    return List.of("core"); // What comes later is what counts.
  }

  @Override
  public Collection<String> getOptionalDependencies() {
    return List.of();
  }

  @Override
  public ModuleLifecycle newModuleLifecycle() {
    return new ModuleLifecycle() {};
  }

  @Override
  public void registerMetadata(ModuleBuilder builder) {
    builder.registerComponentAccessor(
        Factory.class.getName(),
        List.of(SerializationContextRegistry.class.getName()),
        new ComponentAccessor<Factory>(
            Factory.class.getName(),
            GLOBAL,
            /* survivesRestarts= */ false,
            EmptyConstructorFactory.class.getName(),
            List.of()) {
          @Override
          protected Factory newInstance() {
            return new Factory();
          }
        });
    builder.registerComponentAccessor(
        SchemaRegistry.class.getName(),
        List.of(),
        new ComponentAccessor<SchemaRegistry>(
            SchemaRegistry.class.getName(),
            GLOBAL,
            /* survivesRestarts= */ false,
            SerializationContextRegistryImpl.class.getName(),
            List.of()));
  }
}
