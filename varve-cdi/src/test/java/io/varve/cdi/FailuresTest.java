package io.varve.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cache.CacheOptions;
import io.varve.cache.StorageMode;
import io.varve.cache.VarveCachingProvider;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Properties;
import javax.cache.CacheManager;
import javax.cache.annotation.CacheDefaults;
import javax.cache.annotation.CacheResult;
import org.junit.jupiter.api.AfterEach;
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
      return manager;
    }

    void close(@Disposes CacheManager manager) {
      manager.close();
    }
  }

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
}
