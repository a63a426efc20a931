package io.varve.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.json.JsonParserFactory;

/// What editors know of the properties is what the starter reads.
class MetadataTest {
  private static final String FILE = "META-INF/spring-configuration-metadata.json";

  /// Read by a condition, and no component of [VarveProperties].
  private static final String HEALTH = "management.health.varve.enabled";

  private static Map<String, Object> metadata = Map.of();

  /// Looks for the file in the starter's own jar: Spring Boot's jars have such a file each.
  @BeforeAll
  static void parse() throws Exception {
    URL starter = VarveProperties.class.getProtectionDomain().getCodeSource().getLocation();
    try (var loader = new URLClassLoader(new URL[] {starter}, null);
        InputStream file = loader.getResourceAsStream(FILE)) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      metadata = JsonParserFactory.getJsonParser().parseMap(text);
    }
  }

  @SuppressWarnings("unchecked") // objects of JSON
  private static List<Map<String, Object>> entries(String section) {
    return (List<Map<String, Object>>) metadata.get(section);
  }

  @Test
  void everyPropertyIsThereOnceWithItsTypeAndDefault() {
    Map<String, String> expected = new TreeMap<>(Map.of(HEALTH, "java.lang.Boolean true"));
    addProperties("varve", VarveProperties.class, expected);
    Map<String, String> described =
        entries("properties").stream()
            .collect(
                Collectors.toMap(
                    entry -> (String) entry.get("name"),
                    entry -> (entry.get("type") + " " + entry.get("defaultValue")),
                    (_, _) -> "two of that name",
                    TreeMap::new));
    assertThat(described).isEqualTo(expected);
  }

  @Test
  void everyPropertyIsDescribedByASentence() {
    assertThat(entries("properties"))
        .allSatisfy(entry -> assertThat((String) entry.get("description")).matches("[A-Z].*\\."));
  }

  @Test
  void groupsAreTheRecordsOfTheProperties() {
    Map<String, String> expected = new TreeMap<>(Map.of("varve", VarveProperties.class.getName()));
    addGroups("varve", VarveProperties.class, expected);
    assertThat(entries("groups"))
        .extracting(entry -> entry.get("name") + "=" + entry.get("type"))
        .containsExactlyInAnyOrderElementsOf(
            expected.entrySet().stream().map(Object::toString).toList());
  }

  private static void addGroups(String prefix, Class<?> type, Map<String, String> groups) {
    for (RecordComponent component : type.getRecordComponents()) {
      if (component.getType().isRecord()) {
        String name = prefix + '.' + dashed(component);
        groups.put(name, component.getType().getName());
        addGroups(name, component.getType(), groups);
      }
    }
  }

  private static void addProperties(String prefix, Class<?> type, Map<String, String> properties) {
    for (RecordComponent component : type.getRecordComponents()) {
      String name = prefix + '.' + dashed(component);
      if (component.getType().isRecord()) {
        addProperties(name, component.getType(), properties);
      } else {
        properties.put(name, boxed(component.getGenericType()) + " " + defaultOf(type, component));
      }
    }
  }

  private static String boxed(Type type) {
    return type instanceof Class<?> primitive && primitive.isPrimitive()
        ? MethodType.methodType(primitive).wrap().returnType().getName()
        : type.getTypeName().replace(" ", "");
  }

  /// The default as a text, null where there is none. The annotation is on the parameter alone.
  private static String defaultOf(Class<?> record, RecordComponent component) {
    return Arrays.stream(record.getDeclaredConstructors()[0].getParameters())
        .filter(parameter -> parameter.getName().equals(component.getName()))
        .map(parameter -> parameter.getAnnotation(DefaultValue.class))
        .map(value -> value == null || value.value().length == 0 ? null : value.value()[0])
        .map(String::valueOf)
        .findAny()
        .orElseThrow();
  }

  private static String dashed(RecordComponent component) {
    return component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }
}
