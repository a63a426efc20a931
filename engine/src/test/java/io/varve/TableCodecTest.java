package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.varve.admin.Backups;
import io.varve.admin.RestoreTo;
import io.varve.admin.Salvage;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A table is read by codecs that know its bytes, or not at all: those that wrote it are kept in
/// the store, whatever becomes of it.
class TableCodecTest {
  private record Old(String name) {}

  private record Young(String name, Optional<String> mail) {}

  private static final Table<String, Long> STOCK = Table.of("stock", Codec.string(), Codec.int64());
  private static final Table<String, Old> OLD =
      Table.of("people", Codec.string(), Codec.record(Old.class));
  private static final Table<String, Young> YOUNG =
      Table.of(
          "people",
          Codec.string(),
          Codec.record(Young.class).withDefault("mail", Optional.empty()));

  @TempDir Path directory;

  private static void requireKnown(Store store) {
    assertThat(store.open(STOCK)).containsEntry("apples", 3L);
    requireRefused(store, Table.of("stock", Codec.string(), Codec.int32()), "values", "int32");
  }

  private static void requireRefused(Store store, Table<?, ?> other, String part, String given) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.open(other))
        .withMessageContaining("table=" + other.name())
        .withMessageContaining("part=" + part)
        .withMessageContaining("given=" + given);
  }

  private static void fill(Store store) {
    store.open(STOCK).put("apples", 3L);
  }

  @Test
  void anotherCodecIsRefusedByTheNamesOfBoth() {
    try (Store store = Store.inMemory()) {
      fill(store);
      requireKnown(store);
      requireRefused(store, Table.of("stock", Codec.bytes(), Codec.int64()), "keys", "bytes");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.map("stock", Codec.int64(), Codec.int64()))
          .withMessageContaining("written=string, given=int64");
      assertThatIllegalArgumentException().isThrownBy(() -> store.set("stock", Codec.uuid()));
      assertThat(store.set("stock", Codec.string())).containsExactly("apples");
      Table<String, String> texts = Table.of("stock", Codec.string(), Codec.string());
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.transact(tx -> tx.open(texts).put("pears", "4")));
      try (Snapshot snapshot = store.snapshot()) {
        assertThatIllegalArgumentException().isThrownBy(() -> snapshot.open(texts));
      }
      assertThat(store.space("stock").count(Range.all())).isEqualTo(1);
    }
  }

  @Test
  void codecsAreKeptByLogAndCheckpoint() {
    try (Store store = Store.open(directory)) {
      fill(store);
    }
    try (Store store = Store.open(directory)) {
      requireKnown(store);
      store.checkpoint();
      store.open(STOCK).put("pears", 4L);
    }
    try (Store store = Store.open(directory)) {
      requireKnown(store);
    }
  }

  @Test
  void codecsAreKeptByBackupAndRestore() {
    Path backups = directory.resolve("backups");
    try (Store store =
        Store.open(directory.resolve("store"), StoreOptions.defaults().archiveLog(true))) {
      store.space("stock");
      Backups.at(backups).take(store);
      fill(store);
      Backups.at(backups).take(store);
    }
    Path newest = directory.resolve("newest");
    Backups.at(backups).restore(newest, RestoreTo.newest());
    try (Store store = Store.open(newest)) {
      requireKnown(store);
    }
    // The first point knows no codec: the log from there on does.
    Path byLog = directory.resolve("by-log");
    Commit last = Backups.at(backups).points().getLast().lastCommit();
    Backups.at(backups).restore(byLog, RestoreTo.commit(last));
    try (Store store = Store.open(byLog)) {
      requireKnown(store);
    }
  }

  @Test
  void codecsAreKeptBySalvage() {
    Path damaged = directory.resolve("damaged");
    try (Store store = Store.open(damaged)) {
      fill(store);
    }
    Path salvaged = directory.resolve("salvaged");
    Salvage.of(damaged).into(salvaged);
    try (Store store = Store.open(salvaged)) {
      requireKnown(store);
    }
  }

  @Test
  void aStoreWithoutCodecsLearnsThemAtTheFirstOpen() {
    try (Store store = Store.inMemory()) {
      store.space("stock").put(Codec.string().encode("apples"), Codec.int64().encode(3L));
      requireKnown(store);
    }
  }

  @Test
  void aStoreThatIsReadOnlyChecksAndRecordsNothing() {
    try (Store store = Store.open(directory)) {
      fill(store);
      store.space("raw");
    }
    try (Store store = Store.open(directory, StoreOptions.defaults().readOnly(true))) {
      requireKnown(store);
      assertThat(store.map("raw", Codec.int32(), Codec.int32())).isEmpty();
      assertThat(store.map("raw", Codec.string(), Codec.int32())).isEmpty();
    }
  }

  @Test
  void aDroppedTableMayComeBackWithOtherCodecs() {
    try (Store store = Store.inMemory()) {
      fill(store);
      store.dropSpace("stock");
      assertThat(store.map("stock", Codec.int32(), Codec.string())).isEmpty();
    }
  }

  @Test
  void aYoungerVersionOfValuesIsAcceptedAndTheOlderIsNoLonger() {
    try (Store store = Store.inMemory()) {
      store.open(OLD).put("a", new Old("Ada"));
      store.open(OLD).put("b", new Old("Bob"));
      store.open(YOUNG).put("a", new Young("Ada", Optional.of("a@b")));
      assertThat(store.open(YOUNG).values())
          .containsExactly(
              new Young("Ada", Optional.of("a@b")), new Young("Bob", Optional.empty()));
      requireRefused(store, OLD, "values", "record(name:string)");
    }
  }

  @Test
  void anAddedComponentWithoutADefaultIsRefusedByTheNameOfItsRemedy() {
    try (Store store = Store.inMemory()) {
      store.open(OLD);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.map("people", Codec.string(), Codec.record(Young.class)))
          .withMessageContaining("withDefault");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.map("people", Codec.string(), Codec.int64()))
          .withMessageNotContaining("withDefault");
    }
  }

  /// A component got another name in the program, then a third one came.
  @Test
  void aNamedRecordReadsWhatItsOlderVersionsWrote() {
    String before = "record(person:string)";
    try (Store store = Store.inMemory()) {
      store.open(Table.of("people", Codec.string(), Codec.record(Old.class).named(before)));
      Codec<Young> young = Codec.record(Young.class).withDefault("mail", Optional.empty());
      Codec<Young> named = young.named("record(person:string,mail:optional(string))");
      store.open(Table.of("people", Codec.string(), named));
      requireRefused(
          store,
          Table.of("people", Codec.string(), Codec.record(Old.class).named(before)),
          "values",
          before);
    }
  }

  @Test
  void keysKeepTheirVersion() {
    try (Store store = Store.inMemory()) {
      store.set("people", Codec.record(Old.class)).add(new Old("Ada"));
      Codec<Young> young = Codec.record(Young.class).withDefault("mail", Optional.empty());
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.set("people", young))
          .withMessageContaining("part=keys");
    }
  }

  @Test
  void codecsWithoutNameAreNotChecked() {
    Codec<Long> mine = Codec.of(Codec.int64()::encode, Codec.int64()::decode);
    try (Store store = Store.inMemory()) {
      store.map("stock", Codec.string(), mine).put("apples", 3L);
      requireKnown(store);
      assertThat(store.map("stock", Codec.string(), mine)).containsEntry("apples", 3L);
      requireRefused(
          store, Table.of("stock", Codec.string(), mine.named("money")), "values", "money");
    }
  }

  @Test
  void namesOfCodecsAreBounded() {
    Codec<List<Integer>> codec = Codec.list(Codec.int32().named("x".repeat(200)));
    Codec<?> longest = codec;
    while (longest.id().length() <= 8192) {
      longest = Codec.tuple(longest, longest);
    }
    Table<?, Integer> table = Table.of("t", longest, Codec.int32());
    try (Store store = Store.inMemory()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.open(table))
          .withMessageContaining("max=8192");
    }
  }
}
