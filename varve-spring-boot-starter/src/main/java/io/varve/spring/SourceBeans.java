package io.varve.spring;

import io.varve.cache.CacheOptions;
import java.io.Serial;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import javax.cache.Cache;
import javax.cache.configuration.Factory;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/// Beans that are the loaders and writers of caches, by their names.
///
/// A cache closes what it was given, and Spring closes its beans. So caches are given objects that
/// pass calls on and cannot be closed.
///
/// @param beans of the application
/// @param managerName of the bean that closes the caches. It is closed before the beans that are
///   named here, since caches write what waits when they are closed
record SourceBeans(ConfigurableListableBeanFactory beans, String managerName) {
  /// Has reads of a cache ask a bean for what the cache does not have.
  @SuppressWarnings("unchecked") // of the types that properties cannot name
  void setLoader(CacheOptions<Object, Object> options, String property, String beanName) {
    options.setCacheLoaderFactory(
        new Same<>(new Loader(bean(property, beanName, CacheLoader.class))));
    options.setReadThrough(true);
  }

  /// Has changes of a cache go to a bean.
  @SuppressWarnings("unchecked") // as above
  void setWriter(CacheOptions<Object, Object> options, String property, String beanName) {
    options.setCacheWriterFactory(
        new Same<>(new Writer(bean(property, beanName, CacheWriter.class))));
    options.setWriteThrough(true);
  }

  private <T> T bean(String property, String name, Class<T> type) {
    if (!beans.containsBean(name) || !beans.isTypeMatch(name, type)) {
      throw new IllegalArgumentException(
          "a property names no bean of its type: property="
              + property
              + ", bean="
              + name
              + ", type="
              + type.getName()
              + ", beans of the type="
              + List.of(beans.getBeanNamesForType(type))
              + "; name one of these, or define that bean");
    }
    beans.registerDependentBean(name, managerName);
    return beans.getBean(name, type);
  }

  /// Gives one object, which any number of caches may have.
  private record Same<T>(T object) implements Factory<T> {
    @Serial private static final long serialVersionUID = 1;

    @Override
    public T create() {
      return object;
    }
  }

  private record Loader(CacheLoader<Object, Object> bean) implements CacheLoader<Object, Object> {
    @Override
    public Object load(Object key) {
      return bean.load(key);
    }

    @Override
    public Map<Object, Object> loadAll(Iterable<?> keys) {
      return bean.loadAll(keys);
    }
  }

  private record Writer(CacheWriter<Object, Object> bean) implements CacheWriter<Object, Object> {
    @Override
    public void write(Cache.Entry<?, ?> entry) {
      bean.write(entry);
    }

    @Override
    public void writeAll(Collection<Cache.Entry<?, ?>> entries) {
      bean.writeAll(entries);
    }

    @Override
    public void delete(Object key) {
      bean.delete(key);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      bean.deleteAll(keys);
    }
  }
}
