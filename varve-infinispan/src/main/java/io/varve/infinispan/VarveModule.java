package io.varve.infinispan;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.impl.ComponentAccessor;
import org.infinispan.factories.impl.ModuleMetadataBuilder;
import org.infinispan.lifecycle.ModuleLifecycle;

/// A module of Infinispan, which finds it as a service. What others have made by Infinispan's
/// annotation processor is written by hand here: it is made for Infinispan's own build.
///
/// @since 1.0
public abstract class VarveModule implements ModuleMetadataBuilder {
  /// The scope of a component that a manager of caches has once, as the processor writes it.
  protected static final int GLOBAL = 0;

  /// The scope of a component that each cache has.
  protected static final int NAMED_CACHE = 1;

  private final String name;
  private final List<String> after;

  /// Makes one that does nothing yet.
  ///
  /// @param after the modules that come before it; of what several register, the last one counts
  protected VarveModule(String name, String... after) {
    this.name = name;
    this.after = List.of(after);
  }

  @Override
  public final String getModuleName() {
    return name;
  }

  @Override
  public final Collection<String> getRequiredDependencies() {
    return after;
  }

  @Override
  public final Collection<String> getOptionalDependencies() {
    return List.of();
  }

  @Override
  public ModuleLifecycle newModuleLifecycle() {
    return new ModuleLifecycle() {
      @Override
      public void cacheStarting(ComponentRegistry cache, Configuration configuration, String name) {
        VarveModule.this.cacheStarting(cache, configuration, name);
      }
    };
  }

  /// Does what the module does to each cache before that starts.
  protected void cacheStarting(ComponentRegistry cache, Configuration configuration, String name) {
    // Not every module does something.
  }

  @Override
  public void registerMetadata(ModuleBuilder builder) {
    // Not every module has components.
  }

  /// Registers a component that is given what its base class, one of Infinispan's, is given.
  protected static void registerComponent(
      ModuleBuilder builder, int scope, Class<?> component, Class<?> base) {
    builder.registerComponentAccessor(
        component.getName(),
        List.of(),
        new ComponentAccessor<>(
            component.getName(), scope, /* survivesRestarts= */ false, base.getName(), List.of()));
  }

  /// Registers a factory, and which components it makes.
  protected static <T> void registerFactory(
      ModuleBuilder builder, int scope, Supplier<T> made, Class<?> base, String... components) {
    String factory = made.get().getClass().getName();
    builder.registerComponentAccessor(
        factory,
        Arrays.asList(components),
        new ComponentAccessor<T>(
            factory, scope, /* survivesRestarts= */ false, base.getName(), List.of()) {
          @Override
          protected T newInstance() {
            return made.get();
          }
        });
  }
}
