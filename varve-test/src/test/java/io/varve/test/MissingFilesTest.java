package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.CorruptStoreException;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.admin.SalvageReport;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Takes each file of a store away, or cuts it, at each stage of its life: an open finds everything
/// that was acknowledged, or refuses with the reason.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MissingFilesTest {
  private static final int VALUE_BYTES = 500;

  private Model model = new Model();
  private int written;

  /// A store at one stage, and what was acknowledged then.
  private record Stage(String name, SimulatedDisk disk, Model acknowledged) {}

  /// What is done to a file.
  private enum Loss {
    DELETED,
    EMPTIED,
    HEADER_ALONE,
    HALVED,
    LAST_BLOCK_CUT;

    void inflict(Disk disk, String name) throws IOException {
      if (this == DELETED) {
        disk.delete(name);
        return;
      }
      try (DiskFile file = disk.open(name)) {
        file.truncate(
            switch (this) {
              case DELETED, EMPTIED -> 0;
              case HEADER_ALONE -> 4096;
              case HALVED -> file.size() / 2;
              case LAST_BLOCK_CUT -> Math.max(0, file.size() - 4096);
            });
      }
    }
  }

  private static StoreOptions options(boolean encrypted) {
    return Stores.tiny(encrypted).log(log -> log.bytesMax(4 << 20));
  }

  private void put(Store store, int count) {
    SplittableRandom random = new SplittableRandom(written);
    for (int i = 0; i < count; i++) {
      byte[] key = Bytes.of("key" + written++);
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      store.space("s").put(key, value);
      model.put("s", key, value);
    }
  }

  /// Stages of one life after the other. Every second one ends by a loss of power.
  private List<Stage> stages(boolean encrypted) {
    StoreOptions options = options(encrypted);
    List<Stage> stages = new ArrayList<>();
    SimulatedDisk disk = new SimulatedDisk(7);
    SimulatedStore.open(disk, options).close();
    stages.add(stage("new", disk.copy()));
    try (Store store = SimulatedStore.open(disk, options)) {
      put(store, 5);
      stages.add(stage("first segment", disk.copy()));
      put(store, 230);
      stages.add(stage("some segments", disk.copy()));
      store.checkpoint();
      store.checkpoint();
      put(store, 100);
      stages.add(stage("checkpoint and some segments", disk.copy()));
    }
    stages.add(stage("closed", disk.copy()));
    disk = crash(stages.get(2));
    try (Store store = SimulatedStore.open(disk, options)) {
      stages.add(stage("recovered", disk.copy()));
      put(store, 100);
      stages.add(stage("second generation", disk.copy()));
    }
    return stages;
  }

  private Stage stage(String name, SimulatedDisk disk) {
    return new Stage(name, disk, model.copy());
  }

  /// Starts the next life from a stage.
  private SimulatedDisk crash(Stage stage) {
    model = stage.acknowledged().copy();
    return stage.disk().copy().powerCut();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void eachFileMissingOrCut(boolean encrypted) throws IOException {
    int refused = 0;
    int opened = 0;
    for (Stage stage : stages(encrypted)) {
      List<String> names = List.copyOf(stage.disk().fileNames());
      for (String name : names) {
        for (Loss loss : Loss.values()) {
          SimulatedDisk disk = stage.disk().copy();
          loss.inflict(disk.asDisk(), name);
          String what = stage.name() + ": " + name + " " + loss;
          try (Store store = SimulatedStore.open(disk, options(encrypted))) {
            stage.acknowledged().requireEqual(Model.of(store), what);
            store.verify().requireSound();
            opened++;
          } catch (VarveException e) {
            assertThat(e).as(what).isInstanceOf(CorruptStoreException.class);
            refused++;
          }
        }
      }
    }
    assertThat(opened).isPositive();
    assertThat(refused).isPositive();
  }

  /// The file is named, nothing is changed, and what is left can be salvaged.
  @Test
  void missingSegmentIsNamedAndTheRestIsSalvaged() throws IOException {
    Stage stage = stages(false).get(2);
    List<String> segments =
        stage.disk().fileNames().stream().filter(name -> name.endsWith(".log")).toList();
    assertThat(segments).hasSizeGreaterThan(3);
    for (String missing : segments) {
      SimulatedDisk disk = stage.disk().copy();
      disk.asDisk().delete(missing);
      List<String> before = List.copyOf(disk.fileNames());
      assertThatThrownBy(() -> SimulatedStore.open(disk, options(false)))
          .isInstanceOf(CorruptStoreException.class)
          .hasMessageContaining("log segment missing: file=simulated:/" + missing)
          .hasMessageContaining("salvage");
      assertThat(List.copyOf(disk.fileNames())).isEqualTo(before);
    }
    SimulatedDisk disk = stage.disk().copy();
    disk.asDisk().delete(segments.get(1));
    SalvageReport report = SimulatedStore.salvage(disk, new SimulatedDisk(1), options(false));
    assertThat(report.commits()).isPositive();
  }

  /// Where all are empty, no header is left to count segments from.
  @Test
  void emptiedSegmentsAreNamed() throws IOException {
    Stage stage = stages(false).get(2);
    List<String> segments =
        stage.disk().fileNames().stream().filter(name -> name.endsWith(".log")).toList();
    SimulatedDisk disk = stage.disk().copy();
    for (String name : segments) {
      try (DiskFile file = disk.asDisk().open(name)) {
        file.truncate(0);
      }
    }
    assertThatThrownBy(() -> SimulatedStore.open(disk, options(false)))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("file=simulated:/" + segments.getFirst() + ", bytes=0")
        .hasMessageContaining("file=simulated:/" + segments.getLast() + ", bytes=0")
        .hasMessageContaining("salvage");
    for (String name : segments) {
      SimulatedDisk one = stage.disk().copy();
      try (DiskFile file = one.asDisk().open(name)) {
        file.truncate(0);
      }
      assertThatThrownBy(() -> SimulatedStore.open(one, options(false)))
          .isInstanceOf(CorruptStoreException.class)
          .hasMessageContaining("file=simulated:/" + name + ", bytes=0");
    }
  }

  @Test
  void shortSegmentIsNamed() throws IOException {
    Stage stage = stages(false).get(2);
    String first =
        stage.disk().fileNames().stream().filter(name -> name.endsWith(".log")).findFirst().get();
    SimulatedDisk disk = stage.disk().copy();
    try (DiskFile file = disk.asDisk().open(first)) {
      file.truncate(file.size() - 1);
    }
    assertThatThrownBy(() -> SimulatedStore.open(disk, options(false)))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("log segment cut short: file=simulated:/" + first)
        .hasMessageContaining("expectedBytes=");
  }

  /// A clean close deletes the segments one by one: whichever of them a loss of power brings back,
  /// the store opens.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closeThatWasCutShortOpens(boolean hasCommits) {
    for (int seed = 0; seed < 30; seed++) {
      SimulatedDisk disk = new SimulatedDisk(seed);
      SimulatedStore.open(disk, options(false)).close();
      Model expected = new Model();
      Store store = SimulatedStore.open(disk, options(false));
      if (hasCommits) {
        byte[] value = new byte[VALUE_BYTES];
        for (int i = 0; i < 40; i++) {
          store.space("s").put(Bytes.of("key" + i), value);
          expected.put("s", Bytes.of("key" + i), value);
        }
      }
      disk.cutPowerAtCall(disk.mutatingCalls() + 1 + seed);
      try {
        store.close();
      } catch (VarveException _) {
        // The power went.
      }
      for (int life = 0; life < 2; life++) {
        disk = disk.powerCut();
        try (Store reopened = SimulatedStore.open(disk, options(false))) {
          expected.requireEqual(Model.of(reopened), "seed=" + seed);
        }
      }
    }
  }

  /// Cuts the power during each call of the creation in turn: the store can be made all the same.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void creationThatWasCutShortOpens(boolean encrypted) {
    for (int call = 1; ; call++) {
      SimulatedDisk disk = new SimulatedDisk(call);
      disk.cutPowerAtCall(call);
      boolean done = false;
      try {
        SimulatedStore.open(disk, options(encrypted)).close();
        done = true;
      } catch (VarveException _) {
        // The power went.
      }
      if (done) {
        return;
      }
      try (Store store = SimulatedStore.open(disk.powerCut(), options(encrypted))) {
        store.space("s").put(Bytes.of("k"), Bytes.of("v"));
        store.verify().requireSound();
      }
    }
  }

  /// Each of the files that stay after a clean close shows alone that there was a store.
  @ParameterizedTest
  @ValueSource(strings = {"reserve", "keys", "lock"})
  void lostPageFileIsNoNewStore(String witness, @TempDir Path directory) throws IOException {
    StoreOptions options = options(witness.equals("keys"));
    try (Store store = Store.open(directory, options)) {
      put(store, 1);
    }
    for (String name : List.of("pages", "reserve", "keys", "lock")) {
      if (!name.equals(witness)) {
        Files.deleteIfExists(directory.resolve(name));
      }
    }
    Files.deleteIfExists(directory.resolve("log"));
    assertThatThrownBy(() -> Store.open(directory, options))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("missing=" + directory.resolve("pages"))
        .hasMessageContaining("found=" + directory.resolve(witness))
        .hasMessageEndingWith(
            witness.equals("reserve")
                ? "if nothing of it is wanted"
                : "an older version that was stopped while it made a store left this file, too");
    assertThat(directory.resolve("pages")).doesNotExist();
    Files.delete(directory.resolve(witness));
    Files.deleteIfExists(directory.resolve("lock"));
    Store.open(directory, options).close();
  }
}
