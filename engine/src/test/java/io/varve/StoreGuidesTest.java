package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.varve.admin.BackupPoint;
import io.varve.admin.Backups;
import io.varve.admin.RestoreTo;
import io.varve.admin.Salvage;
import io.varve.admin.SalvageReport;
import io.varve.item.Attribute;
import io.varve.item.EntityClass;
import io.varve.item.Item;
import io.varve.item.ItemCodec;
import io.varve.item.ItemCursor;
import io.varve.item.ItemSpace;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentNavigableMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the code of the guides to durability, backups, items, tables and tuning, as it is there.
class StoreGuidesTest {
  @TempDir Path directory;

  private Store store;

  @BeforeEach
  void open() {
    store = Store.open(directory.resolve("shop"));
  }

  @AfterEach
  void close() {
    store.verify().requireSound();
    store.close();
  }

  @Test
  void durability() {
    Space space = store.space("s");
    byte[] key = {1};
    byte[] value = {2};
    space.put(key, value); // survives a loss of power when it returns: the store's default
    space.with(Durability.PROCESS_CRASH).put(key, value); // survives a kill of the process
    assertThat(space.get(key)).isEqualTo(value);
  }

  static final Table<String, Long> STOCK = Table.of("stock", Codec.string(), Codec.int64());

  static final Table<Tuple2<String, Instant>, Double> READINGS =
      Table.of("readings", Codec.tuple(Codec.string(), Codec.instant()), Codec.float64());

  @Test
  void tables() {
    store.open(STOCK).merge("apples", 10L, Long::sum); // commits alone
    store.transact(tx -> tx.open(STOCK).merge("apples", -3L, Long::sum)); // of the transaction
    store.open(STOCK).with(Durability.BACKGROUND).merge("apples", 1L, Long::sum); // does not wait
    store.transact(Durability.BACKGROUND, tx -> tx.open(STOCK).merge("apples", 1L, Long::sum));
    assertThat(store.open(STOCK)).containsExactly(entry("apples", 9L));
  }

  @Test
  void tuplesAsKeys() {
    Instant today = Instant.parse("2026-11-24T00:00:00Z");
    Instant yesterday = today.minus(Duration.ofDays(1));
    store.open(READINGS).put(new Tuple2<>("boiler", yesterday), 20.5);
    store.open(READINGS).put(new Tuple2<>("boiler", today), 21.5);
    store.open(READINGS).put(new Tuple2<>("garden", yesterday), 9.5);
    SortedMap<Tuple2<String, Instant>, Double> ofOneSensor = // by time
        store
            .open(READINGS)
            .subMap(new Tuple2<>("boiler", yesterday), new Tuple2<>("boiler", today));
    assertThat(ofOneSensor.values()).containsExactly(20.5);
  }

  @Test
  void options() {
    StoreOptions options =
        StoreOptions.defaults().cacheBytes(1L << 30).log(log -> log.bytesMax(1L << 30));
    assertThat(options.cacheBytes()).isEqualTo(1L << 30);
    assertThat(options.log().bytesMax()).isEqualTo(1L << 30);
  }

  @Test
  void items() {
    List<Long> cited = new ArrayList<>();
    EntityClass patent = new EntityClass(10, "Patent");
    Attribute title = new Attribute(11, "Title");
    Attribute cites = new Attribute(12, "Cites");

    ItemSpace items = store.items("patents");
    items.update(Item.of(patent, 6_789_012L, title, "Folding boat"), 3); // one title: replaces it
    items.insert(Item.of(patent, 6_789_012L, cites, 5_000_001L)); // as many as there are
    items.insert(Item.of(patent, 6_789_012L, cites, 4_000_002L));
    items.commit(); // on stable storage when it returns

    ItemCursor cursor = items.cursor(Item.of(patent, 6_789_012L, cites));
    while (cursor.next()) {
      cited.add(cursor.longAt(3)); // 4000002, then 5000001
    }

    items.deleteSubspace(Item.of(patent, 6_789_012L));
    items.rollback(); // all is as at the commit
    assertThat(cited).containsExactly(4_000_002L, 5_000_001L);
    assertThat(items.count(Item.of(patent, 6_789_012L))).isEqualTo(3);
  }

  @Test
  void itemsAsMapsAndSets() {
    ItemSpace items = store.items("patents");
    ConcurrentNavigableMap<Long, String> titles =
        items.map(Item.of("titles"), ItemCodec.int64(), ItemCodec.string()); // (titles, key, value)
    NavigableSet<String> tags = // (tags, 6789012, element)
        items.set(Item.of("tags", 6_789_012L), ItemCodec.string());
    titles.put(6_789_012L, "Folding boat");
    tags.add("boats");
    items.commit();
    assertThat(items.contains(Item.of("titles", 6_789_012L, "Folding boat"))).isTrue();
    assertThat(items.contains(Item.of("tags", 6_789_012L, "boats"))).isTrue();
  }

  @Test
  void itemsAsStreams() throws IOException {
    ItemSpace items = store.items("patents");
    byte[] picture = new byte[5_000];
    picture[4_999] = 7;
    write(items, new ByteArrayInputStream(picture));
    var read = new ByteArrayOutputStream();
    read(items, read);
    items.commit();
    assertThat(read.toByteArray()).isEqualTo(picture);
  }

  private static void write(ItemSpace items, InputStream in) throws IOException {
    try (OutputStream out = items.outputStream(Item.of("picture", 7L))) {
      in.transferTo(out);
    }
  }

  private static void read(ItemSpace items, OutputStream out) throws IOException {
    try (InputStream in = items.inputStream(Item.of("picture", 7L))) {
      in.transferTo(out);
    }
  }

  @Test
  void backups() {
    store.open(STOCK).put("apples", 10L);
    // From the program that has the store open:
    BackupPoint point = Backups.at(directory.resolve("backups/shop")).take(store);
    assertThat(point.number()).isEqualTo(1);
    for (int number = 2; number <= 12; number++) {
      store.open(STOCK).merge("apples", 1L, Long::sum);
      Backups.at(directory.resolve("backups/shop")).take(store);
    }
    Backups.at(directory.resolve("backups/shop"))
        .restore(directory.resolve("shop-then"), RestoreTo.point(12));
    try (Store then = Store.open(directory.resolve("shop-then"))) {
      assertThat(then.open(STOCK)).containsExactly(entry("apples", 21L));
    }
  }

  @Test
  void archivedLog() {
    StoreOptions options = StoreOptions.defaults().archiveLog(true);
    assertThat(options.archiveLog()).isTrue();
  }

  @Test
  void encryptedBackups() throws IOException {
    Path keyFile = directory.resolve("key");
    Files.write(keyFile, new byte[32]);
    Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
    StoreOptions options = StoreOptions.defaults().encryption(KeySource.file(keyFile));
    try (Store secret = Store.open(directory.resolve("secret"), options)) {
      secret.open(STOCK).put("apples", 10L);
      Backups.at(directory.resolve("backups/shop")).take(secret);
    }
    Backups.at(directory.resolve("backups/shop"))
        .encryption(KeySource.file(keyFile))
        .restore(directory.resolve("shop-again"), RestoreTo.newest());
    try (Store again = Store.open(directory.resolve("shop-again"), options)) {
      assertThat(again.open(STOCK)).containsExactly(entry("apples", 10L));
    }
  }

  @Test
  void salvage() {
    store.open(STOCK).put("apples", 10L);
    store.close();
    SalvageReport report =
        Salvage.of(directory.resolve("shop")).into(directory.resolve("shop-salvaged"));
    assertThat(report.isComplete()).isTrue();
    store = Store.open(directory.resolve("shop-salvaged"));
    assertThat(store.open(STOCK)).containsExactly(entry("apples", 10L));
  }
}
