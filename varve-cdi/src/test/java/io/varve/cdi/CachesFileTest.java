package io.varve.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import javax.cache.CacheManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A file of caches on the class path of an application.
class CachesFileTest {
  @TempDir Path directory;

  /// Calls with the file on the class path of the thread.
  private void withFile(String lines, Callable<?> body) throws Exception {
    Files.writeString(directory.resolve(VarveExtension.FILE), lines);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (var loader = new URLClassLoader(new URL[] {directory.toUri().toURL()}, before)) {
      thread.setContextClassLoader(loader);
      body.call();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static SeContainer start(Class<?>... beans) {
    return SeContainerInitializer.newInstance()
        .disableDiscovery()
        .addExtensions(new VarveExtension())
        .addBeanClasses(beans)
        .initialize();
  }

  /// A bean of an application whose start fails.
  @ApplicationScoped
  static class Failing {
    void fail(@Observes @Initialized(ApplicationScoped.class) @Priority(5000) Object start) {
      throw new IllegalStateException("no database");
    }
  }

  /// Where the start fails after the caches were opened, they are closed, and open for the next.
  @Test
  void cachesAreClosedWhereTheStartFails() throws Exception {
    String file =
        """
        directory: %s
        caches:
          books:
            mode: pages
        """
            .formatted(directory.resolve("caches"));
    withFile(
        file,
        () ->
            assertThatThrownBy(() -> start(Failing.class)).hasStackTraceContaining("no database"));
    withFile( // as where a server deploys the application again
        file,
        () -> {
          try (SeContainer container = start()) {
            assertThat(container.select(CacheManager.class).get().getCacheNames())
                .containsExactly("books");
          }
          return null;
        });
  }

  @Test
  void cachesAreOpenedAtTheStart() throws Exception {
    Path caches = directory.resolve("caches");
    withFile(
        """
        directory: %s
        caches:
          books:
            mode: pages
        """
            .formatted(caches),
        () -> {
          try (SeContainer container = start()) {
            assertThat(caches).isNotEmptyDirectory();
            assertThat(container.select(CacheManager.class).get().getCacheNames())
                .containsExactly("books");
          }
          return null;
        });
  }

  /// It was reported by the first call of a user, perhaps days after the start.
  @Test
  void aMistakeFailsTheStart() throws Exception {
    withFile(
        """
        directory: %s
        caches:
          books:
            mode: page
        """
            .formatted(directory.resolve("caches")),
        () ->
            assertThatThrownBy(() -> start())
                .hasStackTraceContaining("books")
                .hasStackTraceContaining("mode"));
  }
}
