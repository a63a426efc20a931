package io.varve.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The example application as a user has it: started, asked by HTTP, killed and started again.
@Tag("slow")
class LibraryExampleTest {
  /// What the application looks up for [#ask] when nothing is cached: a book and two authors, one
  /// of whom does not exist.
  private static final String LOOKUPS = "3";

  @TempDir Path directory;

  @Test
  void answersSurviveAKillAndActuatorShowsThem() throws Exception {
    try (var library = LibraryProcess.start(directory, false, List.of())) {
      ask(library);
      ask(library);
      assertThat(library.get("/lookups")).isEqualTo(LOOKUPS);

      assertThat(at(library.json("/actuator/health"), "components", "varve", "status"))
          .isEqualTo("UP");
      assertThat(at(library.json("/actuator/caches"), "cacheManagers", "cacheManager", "caches"))
          .asInstanceOf(InstanceOfAssertFactories.MAP)
          .containsOnlyKeys("authors", "books");
      assertThat(library.get("/actuator/metrics/cache.gets?tag=name:books&tag=result:hit"))
          .contains("\"value\":1.0");
      assertThat(library.get("/actuator/metrics")).contains("varve.");
    } // killed
    try (var library = LibraryProcess.start(directory, false, List.of())) {
      ask(library);
      assertThat(library.get("/lookups")).isEqualTo("0");
    }
  }

  /// What is in a session is a record of the application that is not serializable.
  @Test
  void sessionsSurviveAKill() throws Exception {
    String cookie;
    try (var library = LibraryProcess.start(directory, false, List.of())) {
      HttpResponse<String> first = library.answer("/visits");
      assertThat(first.body()).isEqualTo("{\"count\":1}");
      cookie = cookie(first);
      assertThat(library.answer("/visits", "Cookie", cookie).body()).isEqualTo("{\"count\":2}");
      assertThat(library.answer("/visits").body()).isEqualTo("{\"count\":1}"); // another visitor
    } // killed
    try (var library = LibraryProcess.start(directory, false, List.of())) {
      assertThat(library.answer("/visits", "Cookie", cookie).body()).isEqualTo("{\"count\":3}");
    }
  }

  /// Devtools load the classes of the application again, by another class loader, while the process
  /// keeps running. What was cached as an object of the former class is then one of the new class.
  @Test
  void answersSurviveARestartByDevtools() throws Exception {
    Path classes = classesOfTheExample();
    try (var library = LibraryProcess.start(directory, true, List.of(classes))) {
      ask(library);
      assertThat(library.get("/lookups")).isEqualTo(LOOKUPS);
      String cookie = cookie(library.answer("/visits"));
      Files.writeString(classes.resolve("changed.properties"), "by=a compiler");
      library.awaitStart(2);
      ask(library);
      assertThat(library.get("/lookups")).isEqualTo("0");
      assertThat(library.answer("/visits", "Cookie", cookie).body()).isEqualTo("{\"count\":2}");
    }
  }

  private static String cookie(HttpResponse<String> answer) {
    return answer.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
  }

  private static void ask(LibraryProcess library) throws Exception {
    assertThat(library.json("/books/7"))
        .containsEntry("isbn", "7")
        .extractingByKey("authors")
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .containsExactly(Map.of("name", "Ursula", "born", 1929));
    assertThat(library.json("/authors/Ursula")).containsEntry("born", 1929);
    assertThat(library.answer("/authors/Nobody").statusCode()).isEqualTo(404);
  }

  private static Object at(Map<String, Object> json, String... path) {
    Object found = json;
    for (String name : path) {
      found = ((Map<?, ?>) found).get(name);
    }
    return found;
  }

  /// The example's classes in a directory of their own, with a file that has devtools load nothing
  /// else again: where Maven has not packaged them, Varve's modules are directories as well.
  private Path classesOfTheExample() throws Exception {
    Path copies = directory.resolve("classes");
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path classes = Path.of(entry).resolve("example/library");
      if (Files.isDirectory(classes)) {
        Path copy = Files.createDirectories(copies.resolve("example/library"));
        try (Stream<Path> files = Files.list(classes)) {
          for (Path file : files.toList()) {
            Files.copy(file, copy.resolve(file.getFileName()));
          }
        }
      }
    }
    Path settings = Files.createDirectories(copies.resolve("META-INF"));
    Files.writeString(
        settings.resolve("spring-devtools.properties"), "restart.exclude.varve=.*/target/.*");
    return copies;
  }
}
