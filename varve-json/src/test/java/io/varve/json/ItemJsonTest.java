package io.varve.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Store;
import io.varve.item.Attribute;
import io.varve.item.EntityClass;
import io.varve.item.Item;
import io.varve.item.ItemSpace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Items that go through the text of JSON are the same items.
final class ItemJsonTest {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final Store store = Store.inMemory();
  private final ItemSpace items = store.items("items");

  @AfterEach
  void verify() {
    store.verify().requireSound();
    store.close();
  }

  private static JsonNode json(String text) {
    return MAPPER.readTree(text.replace('\'', '"'));
  }

  private String read(Item prefix) {
    return ItemJson.read(items, prefix, 1_000).toString().replace('"', '\'');
  }

  private static List<Item> all(ItemSpace space) {
    List<Item> all = new ArrayList<>();
    space.scan().forEach(all::add);
    return all;
  }

  @Test
  void aRecordIsAnObject() {
    Item ada = Item.of("people", 7L);
    ItemJson.replace(
        items,
        ada,
        json("{'name':'Ada','age':36,'share':0.5,'tags':['b','a'],'address':{'city':'Bonn'}}"));
    assertThat(items.contains(Item.of("people", 7L, "address", "city", "Bonn"))).isTrue();
    assertThat(items.contains(Item.of("people", 7L, "age", 36L))).isTrue();
    assertThat(items.count(ada)).isEqualTo(6);
    assertThat(read(ada))
        .isEqualTo(
            "{'address':{'city':'Bonn'},'age':36,'name':'Ada','share':0.5,'tags':['a','b']}");
    assertThat(read(Item.of("people"))).startsWith("{'@long:7':{'address'");
    assertThat(read(Item.of("nobody"))).isEqualTo("{}");
  }

  @Test
  void namesMakeAPrefix() {
    assertThat(ItemJson.prefix(List.of("people", "@long:7", "@string:@home")))
        .isEqualTo(Item.of("people", 7L, "@home"));
    assertThat(ItemJson.name(Item.of("people", 7L, "@home"), 1)).isEqualTo("@long:7");
    assertThat(ItemJson.name(Item.of("people", 7L, "@home"), 2)).isEqualTo("@string:@home");
    assertThat(ItemJson.prefix(List.of())).isEqualTo(Item.empty());
    assertThatThrownBy(() -> ItemJson.prefix(List.of("people", "@long:seven")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("@long:");
  }

  @Test
  void onlyWhatDiffersIsChanged() {
    Item prefix = Item.of("p");
    items.insert(Item.of("q", 1L));
    assertThat(ItemJson.replace(items, prefix, json("{'a':1,'b':[1,2]}"))).isEqualTo(3);
    assertThat(ItemJson.replace(items, prefix, json("{'a':1,'b':[2,3]}"))).isEqualTo(2);
    assertThat(read(prefix)).isEqualTo("{'a':1,'b':[2,3]}");
    assertThat(ItemJson.replace(items, prefix, json("{}"))).isEqualTo(3);
    assertThat(all(items)).containsExactly(Item.of("q", 1L));
  }

  @Test
  void endsAndListsHaveTheirForms() {
    Item prefix = Item.of("p");
    Map.of(
            "null", "null",
            "{'a':null}", "'a'", // a single end is a value
            "[7]", "7",
            "{'':null,'a':1}", "{'':null,'a':1}",
            "[{'a':1},{'b':2}]", "[{'a':1},{'b':2}]",
            "[null,[{'a':1},3],'x']", "[null,[{'a':1},3],'x']",
            "{'@index:0':1,'@index:1':2}", "{'@index:0':1,'@index:1':2}",
            "{'@index:1':{'a':1}}", "{'@index:1':{'a':1}}",
            "[1,2.5,true,'@class:4']", "['@class:4',1,2.5,true]")
        .forEach((written, read) -> {
          ItemJson.replace(items, prefix, json(written));
          assertThat(read(prefix)).isEqualTo(read);
          assertThat(ItemJson.replace(items, prefix, json(read))).as(written).isZero();
        });
  }

  @Test
  void aPatchChangesWhatItNames() {
    Item prefix = Item.of("p");
    ItemJson.replace(items, prefix, json("{'a':{'b':1,'c':2},'d':'x','e':[1,2]}"));
    ItemJson.patch(items, prefix, json("{'a':{'b':3,'c':null,'f':{'g':null,'h':1}},'e':7}"), 100);
    assertThat(read(prefix)).isEqualTo("{'a':{'b':3,'f':{'h':1}},'d':'x','e':7}");
    ItemJson.patch(items, prefix, json("{'d':null}"), 100);
    assertThat(read(prefix)).isEqualTo("{'a':{'b':3,'f':{'h':1}},'e':7}");
  }

  /// A name of a patch that was written in another way than it is read was added to what is there.
  @Test
  void aPatchNamesComponentsInAnyText() {
    Item prefix = Item.of("p");
    ItemJson.replace(items, prefix, json("{'a':1,'@long:7':{'b':2},'@utf16:d800':3}"));
    ItemJson.patch(items, prefix, json("{'@string:a':null,'@long:07':{'c':4}}"), 100);
    ItemJson.patch(items, prefix, json("{'\\ud800':null}"), 100);
    assertThat(read(prefix)).isEqualTo("{'@long:7':{'b':2,'c':4}}");
    assertThatThrownBy(() -> ItemJson.patch(items, prefix, json("{'b':{'@long:x':null}}"), 100))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("; at=\"/b/@long:x\"");
  }

  @Test
  void whatIsNoItemIsRefusedWithItsLocation() {
    assertThatThrownBy(() -> ItemJson.items(Item.of("p"), json("{'a':{'b/c':[1,1e999]}}"), 1_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("; at=\"/a/b~1c/1\"");
    JsonNode three = json("{'name':[1,2,3]}");
    assertThat(ItemJson.items(Item.of("p"), three, 1_000)).hasSize(3);
    assertThatThrownBy(() -> ItemJson.items(Item.of("p"), three, 20))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bytesMax=20");
  }

  @Test
  void whatIsNoItemChangesNothing() {
    Item prefix = Item.of("p");
    items.insert(Item.of("p", "kept"));
    String deep = "{'a':".repeat(401) + "1" + "}".repeat(401);
    for (String text :
        List.of(
            "{'@what:1':1}",
            "{'@long:x':1}",
            "{'@':1}",
            "{'':1}",
            "{'@utf16:0':1}",
            "{'@utf16:00':1}",
            "{'@boolean:yes':1}",
            "{'@instant:today':1}",
            "123456789012345678901234567890",
            "1e999",
            "['" + "x".repeat(5000) + "']",
            deep)) {
      assertThatThrownBy(() -> ItemJson.replace(items, prefix, json(text)))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(all(items)).containsExactly(Item.of("p", "kept"));
    items.insert(Item.of("p", "more"));
    assertThatThrownBy(() -> ItemJson.read(items, prefix, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("itemsMax=1");
  }

  private static Object component(SplittableRandom random) {
    String[] texts = {
      "", "a", "@", "@long:1", "\0", "\ud800", "\udc00x", "\ud83d\ude00", "@string:", "é\"\\\n"
    };
    double[] numbers = {0, -0.0, 1, 0.1, 1e300, Double.MIN_VALUE, Double.NaN, -1.0 / 0};
    return switch (random.nextInt(12)) {
      case 0 -> new EntityClass(random.nextInt(1, 3));
      case 1 -> new Attribute(random.nextLong(1, Long.MAX_VALUE));
      case 2 -> texts[random.nextInt(texts.length)];
      case 3 -> random.nextInt(2) == 0 ? random.nextLong() : random.nextLong(-2, 3);
      case 4 -> numbers[random.nextInt(numbers.length)];
      case 5 -> (float) numbers[random.nextInt(numbers.length)];
      case 6 -> random.nextBoolean();
      case 7 -> random.nextBoolean() ? Instant.MIN : Instant.ofEpochSecond(random.nextInt(), 7);
      case 8 -> new byte[] {(byte) random.nextInt(3), 0}; // zeros and ones are escaped
      case 9 -> texts[random.nextInt(texts.length)].toCharArray();
      case 10 -> Item.builder().index(random.nextLong(0, 3)).build();
      default -> new UUID(random.nextLong(), random.nextInt(2));
    };
  }

  private static Item item(SplittableRandom random) {
    Item.Builder item = Item.builder().string("p");
    for (int length = random.nextInt(4); length > 0; length--) {
      item.component(component(random));
    }
    return item.build();
  }

  @Test
  void everySetOfItemsComesBackFromTheBytesOfItsJson() {
    ItemSpace copy = store.items("copy");
    for (int seed = 0; seed < 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      items.deleteSubspace(Item.empty());
      for (int count = random.nextInt(8); count > 0; count--) {
        items.insert(item(random));
      }
      byte[] bytes = MAPPER.writeValueAsBytes(ItemJson.read(items, Item.of("p"), 100));
      ItemJson.replace(copy, Item.of("p"), MAPPER.readTree(bytes));
      assertThat(all(copy)).as("seed=%d", seed).isEqualTo(all(items));
    }
  }
}
