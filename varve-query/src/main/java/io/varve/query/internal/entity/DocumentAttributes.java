package io.varve.query.internal.entity;

import io.varve.query.Attribute;
import io.varve.query.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The attributes of documents: each path is one, of mixed type. A name that ends in `[]` stands
/// for the elements of an array: `tags[]`, `orders[].price`.
public final class DocumentAttributes implements Attributes<JsonNode> {
  /// How many paths are kept; others are resolved each time.
  private static final int FOUND_MAX = 1000;

  private static final String ELEMENTS = "[]";

  private static final Pattern PATH = Pattern.compile("[^.\\[\\]]+(\\[])?(\\.[^.\\[\\]]+(\\[])?)*");

  private final Map<String, Attribute<JsonNode, ?>> found = new ConcurrentHashMap<>();

  @Override
  public @Nullable Attribute<JsonNode, ?> find(String path) {
    Attribute<JsonNode, ?> known = found.get(path);
    if (known != null) {
      return known;
    }
    if (!PATH.matcher(path).matches()) {
      return null;
    }
    Attribute<JsonNode, ?> attribute = attribute(path);
    if (found.size() < FOUND_MAX) {
      found.put(path, attribute);
    }
    return attribute;
  }

  /// The attribute of documents, and of elements of arrays, which may be texts, numbers and the
  /// like: these have none.
  private static Attribute<JsonNode, ?> attribute(String path) {
    String[] names = path.split("\\.");
    if (path.contains(ELEMENTS)) {
      return Attribute.each(
          path,
          Object.class,
          (Object of) -> of instanceof JsonNode node ? elements(node, names) : List.of());
    }
    return Attribute.of(
        path, Object.class, (Object of) -> of instanceof JsonNode node ? walk(node, names) : null);
  }

  private static @Nullable Object walk(JsonNode node, String[] names) {
    JsonNode at = node;
    for (String name : names) {
      at = at.get(name);
      if (at == null) {
        return null;
      }
    }
    return plain(at);
  }

  /// A number, a text or the like as a value of Java; an object or an array as it is.
  private static @Nullable Object plain(JsonNode node) {
    return node.isContainer() ? node : Values.normal(node);
  }

  private static List<Object> elements(JsonNode node, String[] names) {
    List<Object> elements = new ArrayList<>();
    collect(node, names, 0, elements);
    return elements;
  }

  private static void collect(
      @Nullable JsonNode at, String[] names, int next, List<Object> elements) {
    if (at == null || (at.isNull() && next < names.length)) {
      return;
    }
    if (next == names.length) {
      Object element = plain(at);
      if (element != null) {
        elements.add(element);
      }
      return;
    }
    boolean isEach = names[next].endsWith("[]");
    String name = isEach ? names[next].substring(0, names[next].length() - 2) : names[next];
    JsonNode value = at.get(name);
    if (isEach && value != null && value.isArray()) {
      for (JsonNode element : value) {
        collect(element, names, next + 1, elements);
      }
    } else if (!(isEach && value != null && value.isNull())) {
      collect(value, names, next + 1, elements);
    }
  }

  @Override
  public List<Attribute<JsonNode, ?>> list() {
    return List.of();
  }

  @Override
  public JsonNode with(JsonNode document, Map<String, @Nullable Object> values) {
    if (!(document.deepCopy() instanceof ObjectNode copy)) {
      throw new IllegalArgumentException("the document is no object; replace it by a put");
    }
    values.forEach((path, value) -> set(copy, namesToSet(path), value));
    return copy;
  }

  private static String[] namesToSet(String path) {
    if (path.contains(ELEMENTS)) {
      throw new IllegalArgumentException(
          "elements of an array cannot be set: path=" + path + "; set the whole array");
    }
    return path.split("\\.");
  }

  private static void set(ObjectNode document, String[] names, @Nullable Object value) {
    ObjectNode at = document;
    for (int index = 0; index < names.length - 1; index++) {
      at = at.get(names[index]) instanceof ObjectNode inner ? inner : at.putObject(names[index]);
    }
    at.set(names[names.length - 1], DocumentValues.node(value));
  }
}
