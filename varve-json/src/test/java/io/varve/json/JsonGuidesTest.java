package io.varve.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import io.varve.item.Item;
import io.varve.item.ItemSpace;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Runs the code about JSON of the guides to items and tables, as it is there.
final class JsonGuidesTest {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  record Person(String name, int born) {}

  static final Table<String, Person> PEOPLE =
      Table.of("people", Codec.string(), JsonCodec.of(Person.class));
  static final Table<String, JsonNode> DOCUMENTS =
      Table.of("people", Codec.string(), JsonCodec.of(JsonNode.class)); // the same bytes

  @Test
  void tablesOfJson() {
    try (Store store = Store.inMemory()) {
      store.open(PEOPLE).put("ada", new Person("Ada", 1815));
      assertThat(store.open(DOCUMENTS).get("ada").get("born").asInt()).isEqualTo(1815);
      store.verify().requireSound();
    }
  }

  @Test
  void itemsAsJson() {
    JsonNode json =
        MAPPER.readTree(
            """
            {"name":"Ada","tags":["a","b"],"address":{"city":"Bonn"}}\
            """);
    JsonNode patch =
        MAPPER.readTree(
            """
            {"address":{"city":"Ulm"},"tags":null}\
            """);
    try (Store store = Store.inMemory()) {
      ItemSpace items = store.items("items");
      Item ada = Item.of("people", 7L);
      ItemJson.replace(
          items, ada, json); // {"name":"Ada","tags":["a","b"],"address":{"city":"Bonn"}}
      ItemJson.patch(items, ada, patch, 1_000); // {"address":{"city":"Ulm"},"tags":null}
      JsonNode now = ItemJson.read(items, ada, 1_000); // {"address":{"city":"Ulm"},"name":"Ada"}
      items.commit();
      assertThat(now)
          .hasToString(
              """
              {"address":{"city":"Ulm"},"name":"Ada"}\
              """);
      store.verify().requireSound();
    }
  }
}
