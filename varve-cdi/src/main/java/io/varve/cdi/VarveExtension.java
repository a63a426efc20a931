package io.varve.cdi;

import io.varve.cache.VarveCachingProvider;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.AmbiguousResolutionException;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Default;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.BeforeBeanDiscovery;
import jakarta.enterprise.inject.spi.DeploymentException;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessBean;
import jakarta.enterprise.util.Nonbinding;
import java.lang.annotation.Annotation;
import java.net.URI;
import java.util.List;
import java.util.Set;
import javax.cache.CacheManager;
import javax.cache.annotation.CachePut;
import javax.cache.annotation.CacheRemove;
import javax.cache.annotation.CacheRemoveAll;
import javax.cache.annotation.CacheResult;

/// Has the container obey the annotations of JCache. Gives it a cache manager of Varve, unless the
/// application has a bean of that type without a qualifier. The container finds it automatically.
///
/// The manager is that of the file `varve-caches.yaml` on the class path, or else the default one
/// of [VarveCachingProvider]. It is closed with the container. The caches of a file are opened with
/// the container as well: a mistake in it fails the start.
///
/// @since 1.0
public class VarveExtension implements Extension {
  /// The file that describes the caches of an application, on its class path.
  public static final String FILE = "varve-caches.yaml";

  private static final List<Class<? extends Annotation>> BINDINGS =
      List.of(CacheResult.class, CachePut.class, CacheRemove.class, CacheRemoveAll.class);

  private static final List<Class<?>> BEANS =
      List.of(
          CacheLookup.class,
          PutFailures.class,
          CacheResultInterceptor.class,
          CachePutInterceptor.class,
          CacheRemoveInterceptor.class,
          CacheRemoveAllInterceptor.class,
          NamedCaches.class);

  /// Whether the application has a cache manager. For the one thread that starts the container, as
  /// the next one.
  private boolean hasManager;

  /// Whether the manager is that of a file.
  private boolean hasFile;

  /// Made by the container.
  public VarveExtension() {}

  void addAnnotations(@Observes BeforeBeanDiscovery event) {
    for (Class<? extends Annotation> binding : BINDINGS) {
      // An interceptor is of all calls with the annotation, whatever its members contain.
      event
          .configureInterceptorBinding(binding)
          .methods()
          .forEach(member -> member.add(Nonbinding.Literal.INSTANCE));
    }
    for (Class<?> bean : BEANS) {
      event.addAnnotatedType(bean, bean.getName());
    }
  }

  void look(@Observes ProcessBean<?> event) {
    Bean<?> bean = event.getBean();
    hasManager |=
        bean.getTypes().contains(CacheManager.class)
            && bean.getQualifiers().contains(Default.Literal.INSTANCE);
  }

  void addManager(@Observes AfterBeanDiscovery event) {
    if (!hasManager) {
      // Of the application: the thread of the first call may have another.
      ClassLoader given = Thread.currentThread().getContextClassLoader();
      ClassLoader loader = given == null ? VarveExtension.class.getClassLoader() : given;
      URI file = loader.getResource(FILE) == null ? null : URI.create("classpath:" + FILE);
      hasFile = file != null;
      event
          .<CacheManager>addBean()
          .beanClass(VarveExtension.class)
          .types(CacheManager.class, Object.class)
          .scope(ApplicationScoped.class)
          .produceWith(_ -> new VarveCachingProvider().getCacheManager(file, loader))
          .disposeWith((manager, _) -> manager.close());
    }
  }

  /// Refuses several handlers of failed puts at the start: else the first failure of a put would be
  /// the one that reports them.
  void requireOneHandler(@Observes AfterDeploymentValidation event, BeanManager manager) {
    Set<Bean<?>> handlers = manager.getBeans(PutFailureHandler.class, Any.Literal.INSTANCE);
    try {
      manager.resolve(handlers);
    } catch (AmbiguousResolutionException e) {
      event.addDeploymentProblem(
          new DeploymentException(
              "failures of puts have several handlers: type="
                  + PutFailureHandler.class.getName()
                  + ", beans="
                  + handlers.stream().map(Bean::toString).sorted().toList()
                  + "; keep one of them, or make one an @Alternative with a @Priority",
              e));
    }
  }

  /// Opens the caches of a file: else the first call of a user would report what is wrong with it.
  void openCaches(
      @Observes @Initialized(ApplicationScoped.class) Object start, BeanManager manager) {
    if (hasFile) {
      manager.createInstance().select(CacheManager.class).get().getCacheNames();
    }
  }
}
