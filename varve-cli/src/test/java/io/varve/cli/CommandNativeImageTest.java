package io.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The metadata for native images, which the compiler generates: each class in which picocli finds
/// options is in it, with each member that has one of its annotations. A native image finds no
/// option that is missing there.
class CommandNativeImageTest {
  private static final String METADATA =
      "/META-INF/native-image/picocli-generated/io.varve/varve-cli/reflect-config.json";

  private static Path classes() throws URISyntaxException {
    return Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static List<Class<?>> ofThisModule() throws Exception {
    Path root = classes();
    try (Stream<Path> files = Files.walk(root)) {
      List<String> names =
          files
              .map(file -> root.relativize(file).toString())
              .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
              .map(file -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
              .toList();
      var found = new ArrayList<Class<?>>();
      for (String name : names) {
        found.add(Class.forName(name, false, Main.class.getClassLoader()));
      }
      return found;
    }
  }

  private static <M extends AccessibleObject & Member> Stream<String> annotated(M[] members) {
    return Arrays.stream(members)
        .filter(member ->
            Arrays.stream(member.getAnnotations())
                .anyMatch(annotation ->
                    annotation.annotationType().getEnclosingClass() == CommandLine.class))
        .map(Member::getName);
  }

  private static Stream<String> names(JsonNode members) {
    return members.valueStream().map(member -> member.get("name").asString());
  }

  @Test
  void eachOptionIsNamed() throws Exception {
    var named = new TreeSet<String>();
    for (JsonNode type : metadata()) {
      String name = type.get("name").asString();
      Stream.concat(names(type.path("fields")), names(type.path("methods")))
          .forEach(member -> named.add(name + "#" + member));
    }

    var expected = new TreeSet<String>();
    for (Class<?> type : ofThisModule()) {
      Field[] fields = type.getDeclaredFields();
      Method[] methods = type.getDeclaredMethods();
      Stream.concat(annotated(fields), annotated(methods))
          .forEach(member -> expected.add(type.getName() + "#" + member));
    }

    assertThat(expected).hasSizeGreaterThan(100);
    assertThat(named).containsAll(expected);
  }

  private static JsonNode metadata() throws IOException {
    try (InputStream content = Main.class.getResourceAsStream(METADATA)) {
      return JsonMapper.shared().readTree(Objects.requireNonNull(content, METADATA));
    }
  }
}
