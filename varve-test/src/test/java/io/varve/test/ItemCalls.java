package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Commit;
import io.varve.Durability;
import io.varve.item.Item;
import io.varve.item.ItemCodec;
import io.varve.item.ItemSnapshot;
import io.varve.item.ItemSpace;
import io.varve.item.ItemView;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// The calls of a space of items and of its snapshots.
final class ItemCalls extends InterfaceCalls {
  private static final Item A = Item.of("a", 1L);
  private static final Item B = Item.of("b", 1L);

  ItemCalls() {
    addItemChanges();
    addItemViews();
    addItemReads("ItemSpace", (c, read) -> inItems(c, read::accept));
    addItemReads("ItemSnapshot", ItemCalls::inItemSnapshot);
    add("ItemSnapshot.close()", c -> inItems(c, items -> items.snapshot().close()));
  }

  /// Items of the caller alone: one that is committed, and one that is not.
  private static void inItems(Caller c, Consumer<ItemSpace> call) {
    String name = c.otherName();
    ItemSpace items = c.store.items(name);
    items.insert(A);
    items.commit();
    items.insert(B);
    call.accept(items);
    c.store.dropSpace(name);
  }

  private static void inItemSnapshot(Caller c, Consumer<ItemView> call) {
    inItems(
        c,
        items -> {
          try (ItemSnapshot snapshot = items.snapshot()) {
            items.deleteSubspace(Item.empty());
            call.accept(snapshot);
          }
        });
  }

  private void addItem(String name, Consumer<ItemSpace> call) {
    add("ItemSpace." + name, c -> inItems(c, call));
  }

  private static void requireItems(ItemView items, Item... expected) {
    assertThat(items.scan()).containsExactly(expected);
  }

  private void addItemChanges() {
    addItem(
        "insert(Item)",
        items -> {
          items.insert(Item.of("c"));
          requireItems(items, A, B, Item.of("c"));
        });
    addItem(
        "delete(Item)",
        items -> {
          items.delete(A);
          requireItems(items, B);
        });
    addItem(
        "deleteSubspace(Item)",
        items -> {
          items.deleteSubspace(Item.of("a"));
          requireItems(items, B);
        });
    addItem(
        "update(Item, int)",
        items -> {
          items.update(Item.of("a", 2L), 1);
          requireItems(items, Item.of("a", 2L), B);
        });
    addItem("commit()", items -> requireCommit(items, items.commit()));
    addItem(
        "commit(Durability)",
        items -> requireCommit(items, items.commit(Durability.PROCESS_CRASH)));
    addItem(
        "rollback()",
        items -> {
          items.rollback();
          requireItems(items, A);
        });
  }

  private static void requireCommit(ItemSpace items, Commit commit) {
    assertThat(commit.lsn()).isPositive();
    assertThat(commit).isLessThanOrEqualTo(items.store().lastCommit());
    items.rollback();
    requireItems(items, A, B);
  }

  private void addItemViews() {
    addItem("name()", items -> assertThat(items.name()).isNotEmpty());
    addItem(
        "statistics()", items -> assertThat(items.statistics().merged().entries()).isEqualTo(1));
    addItem("store()", items -> assertThat(items.store().lastCommit().lsn()).isPositive());
    addItem("snapshot()", items -> items.snapshot().close());
    addItem(
        "map(Item, ItemCodec, ItemCodec)",
        items ->
            assertThat(items.map(Item.empty(), ItemCodec.string(), ItemCodec.int64()))
                .containsExactly(Map.entry("a", 1L), Map.entry("b", 1L)));
    addItem(
        "set(Item, ItemCodec)",
        items -> assertThat(items.set(Item.of("a"), ItemCodec.int64())).containsExactly(1L));
    addItem(
        "outputStream(Item)",
        items -> {
          try (OutputStream out = items.outputStream(Item.of("lob"))) {
            out.write(new byte[2000]);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          assertThat(items.count(Item.of("lob"))).isEqualTo(2);
        });
    addItem(
        "writer(Item)",
        items -> {
          try (Writer writer = items.writer(Item.of("lob"))) {
            writer.write("x".repeat(2000));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          assertThat(items.count(Item.of("lob"))).isEqualTo(2);
        });
  }

  /// What a view of the two items can be asked.
  private void addItemReads(String type, BiConsumer<Caller, Consumer<ItemView>> in) {
    BiConsumer<String, Consumer<ItemView>> addRead =
        (name, read) -> add(type + "." + name, c -> in.accept(c, read));
    addRead.accept("contains(Item)", items -> assertThat(items.contains(B)).isTrue());
    addRead.accept("count()", items -> assertThat(items.count()).isEqualTo(2));
    addRead.accept("count(Item)", items -> assertThat(items.count(Item.of("b"))).isEqualTo(1));
    addRead.accept("cursor()", items -> assertThat(items.cursor().last()).isTrue());
    addRead.accept(
        "cursor(Item)", items -> assertThat(items.cursor(Item.of("c")).next()).isFalse());
    addRead.accept("scan()", items -> assertThat(items.scan()).containsExactly(A, B));
    addRead.accept("scan(Item)", items -> assertThat(items.scan(Item.of("b"))).containsExactly(B));
    addRead.accept("first(Item, int)", items -> assertThat(items.first(A, 0)).isEqualTo(A));
    addRead.accept("next(Item, int)", items -> assertThat(items.next(A, 0)).isEqualTo(B));
    addRead.accept("last(Item, int)", items -> assertThat(items.last(B, 0)).isEqualTo(B));
    addRead.accept("previous(Item, int)", items -> assertThat(items.previous(B, 1)).isNull());
    addRead.accept(
        "inputStream(Item)", items -> assertThat(items.inputStream(Item.of("none"))).isEmpty());
    addRead.accept(
        "reader(Item)",
        items -> {
          try (Reader reader = items.reader(Item.of("none"))) {
            assertThat(reader.read()).isEqualTo(-1);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }
}
