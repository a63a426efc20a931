package io.varve.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cache.CacheOptions;
import io.varve.cache.StorageMode;
import io.varve.cache.VarveCachingProvider;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.enterprise.inject.spi.DeploymentException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Properties;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.annotation.CacheDefaults;
import javax.cache.annotation.CacheKey;
import javax.cache.annotation.CachePut;
import javax.cache.annotation.CacheResult;
import javax.cache.annotation.CacheValue;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What calls of beans do when their caches fail.
class FailuresTest {
  @TempDir static Path directory;

  /// A class that can be as if it had changed since its objects were written.
  static final class Changed implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    private static volatile boolean isChanged;

    @Serial
    private void readObject(ObjectInputStream input) throws IOException, ClassNotFoundException {
      if (isChanged) {
        throw new InvalidClassException(Changed.class.getName(), "local class incompatible");
      }
      input.defaultReadObject();
    }
  }

  /// An exception that holds an object of that class.
  static final class Missing extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private final Changed part = new Changed();

    Changed part() {
      return part;
    }
  }

  @ApplicationScoped
  @CacheDefaults(cacheName = "answers")
  static class Answers {
    private int calls;

    int calls() {
      return calls;
    }

    @CacheResult
    public Changed changed(String key) {
      calls++;
      return new Changed();
    }

    @CacheResult
    public Object unwritable(String key) {
      calls++;
      return new ThreadLocal<>();
    }

    @CachePut
    public void put(@CacheKey String key, @CacheValue @Nullable Object value) {
      calls++;
    }

    @CachePut(afterInvocation = false)
    public void putBefore(@CacheKey String key, @CacheValue Object value) {
      calls++;
    }

    @CachePut(cacheName = "written")
    public void write(@CacheKey String key, @CacheValue Object value) {
      calls++;
    }

    @CacheResult(cacheName = "none", exceptionCacheName = "failures")
    public Object unwritableException(String key) {
      throw new IllegalStateException("no book") {
        final ThreadLocal<String> part = new ThreadLocal<>();
      };
    }

    @CacheResult(cacheName = "none", exceptionCacheName = "failures")
    public Object missing(String key) {
      calls++;
      throw new Missing();
    }
  }

  @ApplicationScoped
  static class Manager {
    static StorageMode mode = StorageMode.HEAP;

    @Produces
    @ApplicationScoped
    CacheManager manager() {
      Properties properties = new Properties();
      properties.setProperty(
          VarveCachingProvider.DIRECTORY, directory.resolve(mode.name()).toString());
      CacheManager manager = new VarveCachingProvider().getCacheManager(null, null, properties);
      for (String name : new String[] {"answers", "none", "failures"}) {
        manager.createCache(name, new CacheOptions<>().mode(mode));
      }
      CacheOptions<Object, Object> written = new CacheOptions<>();
      written.setWriteThrough(true);
      written.setCacheWriterFactory(RefusingWriter::new);
      manager.createCache("written", written);
      return manager;
    }

    void close(@Disposes CacheManager manager) {
      manager.close();
    }
  }

  static final class RefusingWriter implements CacheWriter<Object, Object> {
    @Override
    public void write(Cache.Entry<?, ?> entry) {
      throw new CacheWriterException("no database");
    }

    @Override
    public void writeAll(Collection<Cache.Entry<?, ?>> entries) {}

    @Override
    public void delete(Object key) {}

    @Override
    public void deleteAll(Collection<?> keys) {}
  }

  /// Has calls fail with their caches.
  @ApplicationScoped
  static class Strict implements PutFailureHandler {
    @Override
    public void putFailed(String cacheName, RuntimeException failure) {
      throw failure;
    }
  }

  /// Passes failures over.
  @ApplicationScoped
  static class Lenient implements PutFailureHandler {
    @Override
    public void putFailed(String cacheName, RuntimeException failure) {}
  }

  /// The one that is asked, whatever others there are.
  @Alternative
  @Priority(1)
  @ApplicationScoped
  static class Preferred extends Strict {}

  private static SeContainer container(Class<?>... beans) {
    return SeContainerInitializer.newInstance()
        .disableDiscovery()
        .addExtensions(new VarveExtension())
        .addBeanClasses(Answers.class, Manager.class)
        .addBeanClasses(beans)
        .initialize();
  }

  @AfterEach
  void reset() {
    Changed.isChanged = false;
    Manager.mode = StorageMode.HEAP;
  }

  /// A method whose answer was kept by a class that has changed runs again, and is kept again.
  @ParameterizedTest
  @EnumSource(StorageMode.class)
  void entriesThatCannotBeReadAreRemoved(StorageMode mode) {
    Manager.mode = mode;
    try (SeContainer container = container()) {
      Answers answers = container.select(Answers.class).get();
      answers.changed("1");
      assertThatThrownBy(() -> answers.missing("1")).isInstanceOf(Missing.class);
      assertThat(answers.calls()).isEqualTo(2);
      Changed.isChanged = true;
      answers.changed("1");
      assertThatThrownBy(() -> answers.missing("1")).isInstanceOf(Missing.class);
      assertThat(answers.calls()).isEqualTo(4);
      Changed.isChanged = false;
      answers.changed("1");
      assertThatThrownBy(() -> answers.missing("1"))
          .isInstanceOfSatisfying(Missing.class, e -> assertThat(e.part()).isNotNull());
      assertThat(answers.calls()).as("of entries that can be read").isEqualTo(4);
    }
  }

  @Test
  void aCallThatSucceedsAnswersWhetherOrNotItsCacheKeepsTheAnswer() {
    try (SeContainer container = container()) {
      Answers answers = container.select(Answers.class).get();
      assertThat(answers.unwritable("1")).isInstanceOf(ThreadLocal.class);
      assertThat(answers.unwritable("1")).isInstanceOf(ThreadLocal.class);
      assertThat(answers.calls()).isEqualTo(2);
      assertThatThrownBy(() -> answers.unwritableException("1"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("no book");
      assertThatThrownBy(() -> answers.putBefore("2", new ThreadLocal<>()))
          .isInstanceOf(CacheException.class);
      assertThat(answers.calls()).as("of a call that was still to be made").isEqualTo(2);
      assertThatThrownBy(() -> answers.write("3", "value"))
          .isInstanceOf(CacheWriterException.class);
    }
  }

  /// Guards against an old value that answers later calls, since the new one could not be put.
  @Test
  void aValueThatCannotBePutReplacesTheFormerByNone() {
    try (SeContainer container = container()) {
      Answers answers = container.select(Answers.class).get();
      for (Object unkept : new Object[] {new ThreadLocal<>(), null}) {
        answers.put("1", "former");
        answers.put("1", unkept);
        assertThat(container.select(CacheManager.class).get().getCache("answers")).isEmpty();
      }
    }
  }

  @Test
  void theApplicationMayLetSuchCallsFail() {
    try (SeContainer container = container(Strict.class)) {
      Answers answers = container.select(Answers.class).get();
      assertThatThrownBy(() -> answers.unwritable("1"))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("cache=answers");
    }
  }

  @Test
  void aContainerWithTwoHandlersDoesNotStart() {
    assertThatThrownBy(() -> container(Strict.class, Lenient.class))
        .isInstanceOf(DeploymentException.class)
        .hasMessageContaining(Strict.class.getName())
        .hasMessageContaining(Lenient.class.getName())
        .hasMessageContaining("keep one of them, or make one an @Alternative with a @Priority");
  }

  @Test
  void theAlternativeOfSeveralHandlersIsAsked() {
    try (SeContainer container = container(Lenient.class, Preferred.class)) {
      Answers answers = container.select(Answers.class).get();
      assertThatThrownBy(() -> answers.unwritable("1")).isInstanceOf(CacheException.class);
    }
  }
}
