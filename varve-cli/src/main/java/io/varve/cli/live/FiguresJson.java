package io.varve.cli.live;

import io.varve.Histogram;
import io.varve.Statistics;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// All figures of a store as JSON: a property for each method of [Statistics] and of its parts, in
/// the order of their names. Times are in nanoseconds.
public final class FiguresJson {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private FiguresJson() {}

  /// An object on one line, with the time of this call.
  public static String line(Statistics statistics) {
    ObjectNode object = MAPPER.createObjectNode();
    object.put("time", Instant.now().toString());
    object.setAll(of(statistics, Statistics.class));
    return object.toString();
  }

  private static ObjectNode of(Object figures, Class<?> type) {
    ObjectNode object = MAPPER.createObjectNode();
    Arrays.stream(type.getMethods())
        .filter(method -> method.getParameterCount() == 0)
        .sorted(Comparator.comparing(Method::getName))
        .forEach(method -> object.set(method.getName(), node(value(figures, method), method)));
    return object;
  }

  private static @Nullable Object value(Object figures, Method method) {
    try {
      return method.invoke(figures);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("a figure cannot be read: name=" + method.getName(), e);
    }
  }

  private static JsonNode node(@Nullable Object value, Method method) {
    return switch (value) {
      case null -> MAPPER.nullNode();
      case Histogram times -> histogram(times);
      case Duration time -> MAPPER.valueToTree(time.toNanos());
      case List<?> list -> snapshots(list);
      case StackTraceElement place -> MAPPER.valueToTree(place.toString());
      case Number _, String _ -> MAPPER.valueToTree(value);
      default -> of(value, method.getReturnType());
    };
  }

  private static ObjectNode histogram(Histogram times) {
    return MAPPER
        .createObjectNode()
        .put("count", times.count())
        .put("totalNanos", times.totalNanos())
        .put("medianNanos", times.nanos(0.5))
        .put("p99Nanos", times.nanos(0.99));
  }

  private static ArrayNode snapshots(List<?> list) {
    ArrayNode array = MAPPER.createArrayNode();
    for (Object snapshot : list) {
      array.add(of(snapshot, Statistics.OpenSnapshot.class));
    }
    return array;
  }
}
