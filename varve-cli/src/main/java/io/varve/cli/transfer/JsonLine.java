package io.varve.cli.transfer;

import java.util.LinkedHashMap;
import java.util.Map;

/// A result as a JSON object on one line, for programs.
public final class JsonLine {
  private final Map<String, Object> properties = new LinkedHashMap<>();

  private JsonLine() {}

  /// An object with one property.
  public static JsonLine of(String name, Object value) {
    return new JsonLine().with(name, value);
  }

  /// This with one more.
  public JsonLine with(String name, Object value) {
    properties.put(name, value);
    return this;
  }

  /// The line, without its end.
  public String text() {
    return Json.MAPPER.writeValueAsString(properties);
  }
}
