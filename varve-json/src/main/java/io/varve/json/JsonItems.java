package io.varve.json;

import io.varve.item.Item;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/// The items that a value of JSON stands for. Of one conversion.
final class JsonItems {
  /// Components of an item after the prefix.
  static final int DEPTH_MAX = 400;

  /// Characters of the location in a message.
  private static final int LOCATION_LENGTH_MAX = 200;

  private final NavigableSet<Item> items = new TreeSet<>();

  /// The names on the way to the value that is read, and `-` for each array, the outermost last.
  private final Deque<String> names = new ArrayDeque<>();

  private final long bytesMax;
  private long bytes;

  private JsonItems(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /// The items.
  ///
  /// @param bytesMax of all items together: each one repeats the prefix and the names before it
  /// @throws IllegalArgumentException if a name or a value is no component, an item is too long or
  ///   too deep, or all are too long; with the location, as a JSON Pointer (RFC 6901)
  static NavigableSet<Item> of(Item prefix, JsonNode value, long bytesMax) {
    var made = new JsonItems(bytesMax);
    made.located(() -> made.add(prefix, value, 0));
    return made.items;
  }

  /// Refuses a JSON Merge Patch of which a name is no component.
  ///
  /// @throws IllegalArgumentException if one is none, with the location
  static void requireNames(JsonNode patch) {
    var checked = new JsonItems(0);
    checked.located(() -> checked.checkNames(patch, 0));
  }

  private void checkNames(JsonNode patch, int depth) {
    requireDepth(depth);
    if (patch.isObject()) {
      for (Map.Entry<String, JsonNode> member : patch.properties()) {
        names.push(member.getKey());
        ItemText.canonical(member.getKey());
        checkNames(member.getValue(), depth + 1);
        names.pop();
      }
    }
  }

  private void located(Runnable conversion) {
    try {
      conversion.run();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage() + "; at=" + location(), e);
    }
  }

  /// @throws IllegalArgumentException if an item has more components after the prefix than it may
  static void requireDepth(int depth) {
    if (depth > DEPTH_MAX) {
      throw new IllegalArgumentException(
          "an item is too deep for JSON: components="
              + depth
              + ", max="
              + DEPTH_MAX
              + "; take a longer prefix");
    }
  }

  private String location() {
    StringBuilder pointer = new StringBuilder("\"");
    names
        .descendingIterator()
        .forEachRemaining(
            name -> pointer.append('/').append(name.replace("~", "~0").replace("/", "~1")));
    if (pointer.length() > LOCATION_LENGTH_MAX) {
      pointer.setLength(LOCATION_LENGTH_MAX);
      pointer.append("...");
    }
    return pointer.append('"').toString();
  }

  private void add(Item prefix, JsonNode value, int depth) {
    requireDepth(depth);
    if (value.isNull()) {
      add(prefix);
    } else if (value.isObject()) {
      for (Map.Entry<String, JsonNode> member : value.properties()) {
        names.push(member.getKey());
        boolean isEnd = member.getKey().isEmpty() && member.getValue().isNull();
        add(isEnd ? prefix : named(prefix, member.getKey()), member.getValue(), depth + 1);
        names.pop();
      }
    } else if (!value.isArray()) {
      add(ended(prefix, value));
    } else if (value.values().stream().allMatch(ItemNode::isScalar)) {
      int index = 0;
      for (JsonNode element : value.values()) {
        names.push(Integer.toString(index++));
        add(ended(prefix, element));
        names.pop();
      }
    } else {
      int index = 0;
      for (JsonNode element : value.values()) {
        names.push(Integer.toString(index));
        add(prefix.toBuilder().index(index++).build(), element, depth + 1);
        names.pop();
      }
    }
  }

  private void add(Item item) {
    bytes += item.byteLength();
    if (bytes > bytesMax) {
      throw new IllegalArgumentException(
          "the items of a value of JSON are too long: bytesMax="
              + bytesMax
              + ", of all names on the way to each value; write parts of it");
    }
    items.add(item);
  }

  private static Item named(Item prefix, String name) {
    Item.Builder item = prefix.toBuilder();
    ItemText.read(name, item);
    return item.build();
  }

  /// An item whose last component is a value.
  private static Item ended(Item prefix, JsonNode value) {
    Item.Builder item = prefix.toBuilder();
    if (value.isBoolean()) {
      item.bool(value.booleanValue());
    } else if (value.isIntegralNumber() && value.canConvertToLong()) {
      item.int64(value.longValue());
    } else if (value.isFloatingPointNumber() && Double.isFinite(value.doubleValue())) {
      item.float64(value.doubleValue());
    } else if (value.isString()) {
      ItemText.read(value.stringValue(), item);
    } else {
      throw new IllegalArgumentException(
          "a value of JSON is no component: type="
              + value.getNodeType()
              + "; numbers are longs or finite doubles");
    }
    return item.build();
  }
}
