package io.varve.json;

import io.varve.item.ComponentType;
import io.varve.item.Components;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Items with the same first components: what follows these, as a tree.
final class ItemNode {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /// What begins with one component.
  private record Branch(JsonNode value, ItemNode rest) {
    private boolean isValue() {
      return rest.isEnd && rest.branches.isEmpty();
    }
  }

  /// By the texts of components, in the order of items.
  private final Map<String, Branch> branches = new LinkedHashMap<>();

  private boolean isEnd;

  /// Adds what follows in an item.
  ///
  /// @param from the first component that follows
  void add(Components item, int from) {
    ItemNode node = this;
    int size = item.size();
    for (int index = from; index < size; index++) {
      String name = ItemText.write(item, index);
      Branch branch = node.branches.get(name);
      if (branch == null) {
        branch = new Branch(value(item, index, name), new ItemNode());
        node.branches.put(name, branch);
      }
      node = branch.rest();
    }
    node.isEnd = true;
  }

  private static JsonNode value(Components item, int index, String name) {
    if (!ItemText.isPlain(item, index)) {
      return JSON.stringNode(name);
    }
    if (item.type(index) == ComponentType.LONG) {
      return JSON.numberNode(item.longAt(index));
    }
    return item.type(index) == ComponentType.BOOLEAN
        ? JSON.booleanNode(item.booleanAt(index))
        : JSON.numberNode(item.doubleAt(index));
  }

  /// These items as JSON.
  JsonNode json() {
    if (branches.isEmpty()) {
      return isEnd ? JSON.nullNode() : JSON.objectNode();
    }
    if (!isEnd && branches.values().stream().allMatch(Branch::isValue)) {
      return values();
    }
    ObjectNode object = JSON.objectNode();
    if (isEnd) {
      object.putNull("");
    }
    branches.forEach((name, branch) -> object.set(name, branch.rest().json()));
    return isList(object) ? JSON.arrayNode().addAll(object.values()) : object;
  }

  private JsonNode values() {
    if (branches.size() == 1) {
      return branches.values().iterator().next().value();
    }
    ArrayNode values = JSON.arrayNode();
    branches.values().forEach(branch -> values.add(branch.value()));
    return values;
  }

  /// Whether the names count from 0, and the values are not such that a list of them would be a set
  /// of values.
  private static boolean isList(ObjectNode object) {
    long next = 0;
    for (String name : object.propertyNames()) {
      if (!name.equals(ItemText.index(next++))) {
        return false;
      }
    }
    return object.values().stream().anyMatch(value -> !isScalar(value));
  }

  /// Whether a value of JSON is one component.
  static boolean isScalar(JsonNode value) {
    return value.isValueNode() && !value.isNull();
  }
}
