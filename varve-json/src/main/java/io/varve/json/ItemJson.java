package io.varve.json;

import io.varve.item.Components;
import io.varve.item.Item;
import io.varve.item.ItemCursor;
import io.varve.item.ItemSpace;
import io.varve.item.ItemView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The items under a prefix as one JSON value, which can be read, replaced and patched. Every set
/// of items has a value that gives the same set again, whatever the types of its components.
///
/// ```java
/// ItemJson.replace(items, Item.of("people", 7L), json); // {"name":"Ada","tags":["a","b"]}
/// JsonNode same = ItemJson.read(items, Item.of("people", 7L), 1_000);
/// ```
///
/// - The **components** of an item are the names on the way to its last one, which is a value:
///   `("name", "Ada")` is `{"name":"Ada"}`. Several last ones are an array, in the order of items.
/// - A name or a text that begins with `@` has a **type**: `@long:12`, `@instant:...`. A value that
///   is a whole number is a long, one with a fraction or an exponent is a double.
/// - An **array** of values alone is a set of them. In any other array each element is under its
///   index, so that arrays of objects keep their order.
/// - `null` is the **end** of an item, as `{"paid":null}` of `("paid")`; where other items continue
///   from there it has an empty name.
/// - `{}` and `[]` are no item.
///
/// JSON of other origin is stored as it is read, except for sets: their order, and values that are
/// there twice, are lost, and an array of one value is read as that value.
///
/// Changes are those of the item space: all see them immediately, one by one, and they wait for a
/// commit. The methods keep no state.
///
/// @since 1.0
public final class ItemJson {
  /// How many components an item may have after the prefix: readers of JSON refuse more depth.
  public static final int DEPTH_MAX = JsonItems.DEPTH_MAX;

  private ItemJson() {}

  /// The item that the names on the way to it stand for, such as `people` and `@long:7`: a prefix
  /// that a user has typed.
  ///
  /// @throws IllegalArgumentException if a name stands for no component, or the item is too long
  public static Item prefix(List<String> names) {
    Item.Builder prefix = Item.builder();
    names.forEach(name -> ItemText.read(name, prefix));
    return prefix.build();
  }

  /// The name that stands for a component of an item, as [#prefix] reads it.
  ///
  /// @param index of the component, from 0
  /// @throws IndexOutOfBoundsException if the item has no such component
  /// @since 1.0
  public static String name(Components item, int index) {
    return ItemText.write(item, index);
  }

  /// The items under a prefix, held in memory. Of a snapshot they are of one state.
  ///
  /// @param itemsMax how many there may be
  /// @throws IllegalArgumentException if there are more, or an item has more than [#DEPTH_MAX]
  ///   components after the prefix
  public static JsonNode read(ItemView items, Item prefix, long itemsMax) {
    var root = new ItemNode();
    long count = 0;
    int from = prefix.size();
    ItemCursor cursor = items.cursor(prefix);
    while (cursor.next()) {
      if (++count > itemsMax) {
        throw new IllegalArgumentException(
            "too many items for one value of JSON: itemsMax="
                + itemsMax
                + "; read a longer prefix, or allow more");
      }
      JsonItems.requireDepth(cursor.size() - from);
      root.add(cursor, from);
    }
    return root.json();
  }

  /// The items that a value stands for, in order. Nothing is changed.
  ///
  /// @param bytesMax bytes that they may have together: each has the prefix and all names on the
  ///   way to its value, so that they may be many times as long as the JSON
  /// @throws IllegalArgumentException if a name or a value is no component, an item is too long, or
  ///   they are too long together; the message ends with the location in the value
  /// @since 1.0
  public static NavigableSet<Item> items(Item prefix, JsonNode value, long bytesMax) {
    return JsonItems.of(prefix, value, bytesMax);
  }

  /// Makes the items under a prefix those of a value: removes those that it has not, inserts those
  /// that are missing, and leaves the others as they are.
  ///
  /// @return how many items were removed or inserted
  /// @throws IllegalArgumentException if a name or a value is no component, or an item is too long;
  ///   nothing was changed
  public static long replace(ItemSpace items, Item prefix, JsonNode value) {
    NavigableSet<Item> wanted = items(prefix, value, Long.MAX_VALUE);
    List<Item> removed = new ArrayList<>();
    for (Item item : items.scan(prefix)) {
      if (!wanted.remove(item)) {
        removed.add(item);
      }
    }
    removed.forEach(items::delete);
    wanted.forEach(items::insert);
    return (long) removed.size() + wanted.size();
  }

  /// Changes the items under a prefix by a JSON Merge Patch (RFC 7396): names of the patch replace
  /// what is there, null removes it, and the rest stays. So a patch cannot express that an item
  /// ends.
  ///
  /// @param itemsMax how many items there may be, which are read first
  /// @return how many items were removed or inserted
  /// @throws IllegalArgumentException as [#read] and [#replace]; nothing was changed
  public static long patch(ItemSpace items, Item prefix, JsonNode patch, long itemsMax) {
    return replace(items, prefix, merge(read(items, prefix, itemsMax), patch));
  }

  /// A value that [#read] returned, after a JSON Merge Patch (RFC 7396). Neither of both is
  /// changed. Names of the patch are components: `@long:07` is the name `@long:7` of the value.
  ///
  /// @throws IllegalArgumentException if the patch is deeper than [#DEPTH_MAX], or one of its names
  ///   stands for no component
  /// @since 1.0
  public static JsonNode merge(JsonNode value, JsonNode patch) {
    JsonItems.requireNames(patch);
    return merged(value, patch);
  }

  private static JsonNode merged(JsonNode target, JsonNode patch) {
    if (!(patch instanceof ObjectNode changes)) {
      return patch;
    }
    ObjectNode merged =
        target instanceof ObjectNode present
            ? present.objectNode().setAll(present)
            : JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> change : changes.properties()) {
      String name = ItemText.canonical(change.getKey());
      if (change.getValue().isNull()) {
        merged.remove(name);
      } else {
        merged.set(name, merged(merged.path(name), change.getValue()));
      }
    }
    return merged;
  }
}
