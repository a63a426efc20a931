package io.varve.test.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.AsyncSpace;
import io.varve.Cursor;
import io.varve.IndexedSpace;
import io.varve.OrderedMap;
import io.varve.OrderedSet;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.Transaction;
import io.varve.TransactionPoint;
import io.varve.Watch;
import io.varve.admin.Backups;
import io.varve.admin.Salvage;
import io.varve.admin.StoreKeys;
import io.varve.item.ItemSnapshot;
import io.varve.item.ItemSpace;
import io.varve.spi.NonBlockingSpace;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// No part of the public interface is out of the simulation's reach: each method is called by some
/// actor in the first histories. A method that is added has no actor yet, and fails this.
@Tag("simulation")
class PublicCallSimulationTest {
  private static final int SEEDS_MAX = 120;

  private static final List<Class<?>> INTERFACES =
      List.of(
          Store.class,
          Space.class,
          AsyncSpace.class,
          NonBlockingSpace.class,
          Snapshot.class,
          Transaction.class,
          TransactionPoint.class,
          Cursor.class,
          OrderedMap.class,
          OrderedSet.class,
          IndexedSpace.class,
          Watch.class,
          ItemSpace.class,
          ItemSnapshot.class);

  /// What no actor calls, and why.
  private static final Map<String, String> LEFT_OUT =
      Map.of("OrderedSet.parallelStream()", "runs on a pool of the JDK, which no seed orders");

  /// What opens, restores and changes stores in real directories, and the note of the trace that
  /// shows that its seam below was used.
  private static final Map<String, String> ENTRIES =
      Map.ofEntries(
          Map.entry("Store.open(Path)", "open"),
          Map.entry("Store.open(Path, StoreOptions)", "open"),
          Map.entry("Salvage.into(Path)", "salvaged"),
          Map.entry("Salvage.into(Path, ProgressListener)", "salvaged"),
          Map.entry("Backups.take(Store)", "backed up"),
          Map.entry("Backups.take(Store, BackupOptions)", "backed up"),
          Map.entry("Backups.restore(Path, RestoreTo)", "restored"),
          Map.entry("Backups.restore(Path, RestoreTo, ProgressListener)", "restored"),
          Map.entry("Backups.prune(int)", "pruned"),
          Map.entry("StoreKeys.change(Path, KeySource, KeySource)", "key"));

  /// Entries that no history uses, and why.
  private static final Map<String, String> ENTRIES_LEFT_OUT =
      Map.of(
          "Store.inMemory()", "has no disk, and so no crash",
          "Store.inMemory(StoreOptions)", "the same",
          "Backups.at(Path)", "names a directory",
          "Backups.at(BackupTarget)", "names what keeps the same files",
          "Salvage.of(Path)", "names a directory",
          "Salvage.encryption(KeySource)", "names a key",
          "Salvage.toString()", "is for messages",
          "Backups.encryption(KeySource)", "names a key",
          "Backups.points()", "lists files",
          "Backups.toString()", "is for messages");

  private final SortedSet<String> called = new TreeSet<>();
  private final SortedSet<String> noted = new TreeSet<>();

  @Test
  void everyPublicMethodIsCalledBySomeActor() {
    SortedSet<String> missing = declared();
    missing.removeAll(LEFT_OUT.keySet());
    SortedSet<String> notes = new TreeSet<>(ENTRIES.values());
    SimulationOptions options =
        SimulationOptions.defaults().faults(EnumSet.of(FaultKind.NONE, FaultKind.KILL));
    for (long seed = 1; seed <= SEEDS_MAX && !(missing.isEmpty() && notes.isEmpty()); seed++) {
      History.run(seed, options, this::note, recording());
      missing.removeAll(called);
      notes.removeAll(noted);
    }
    assertThat(missing).as("methods that no actor calls").isEmpty();
    assertThat(notes).as("entries that no history uses").isEmpty();
  }

  @Test
  void everyWayToMakeAStoreIsKnownToTheSimulation() {
    SortedSet<String> declared = new TreeSet<>();
    for (Class<?> type : List.of(Store.class, Backups.class, Salvage.class, StoreKeys.class)) {
      for (Method method : type.getDeclaredMethods()) {
        int modifiers = method.getModifiers();
        boolean isEntry = Modifier.isStatic(modifiers) || !type.isInterface();
        if (isEntry && Modifier.isPublic(modifiers)) {
          declared.add(name(type, method));
        }
      }
    }
    SortedSet<String> known = new TreeSet<>(ENTRIES.keySet());
    known.addAll(ENTRIES_LEFT_OUT.keySet());
    assertThat(known).isEqualTo(declared);
  }

  private void note(String line) {
    for (String what : ENTRIES.values()) {
      if (line.contains("  " + what + " [") || line.contains(" " + what + " [")) {
        noted.add(what);
      }
    }
  }

  private Planted recording() {
    return new Planted() {
      @Override
      public Store store(Store opened) {
        return AlteredStore.of(
            opened,
            call -> {
              for (Class<?> type : INTERFACES) {
                if (type.isInstance(call.target())) {
                  called.add(name(type, call.method()));
                }
              }
              return call.proceed();
            });
      }
    };
  }

  private static SortedSet<String> declared() {
    SortedSet<String> names = new TreeSet<>();
    for (Class<?> type : INTERFACES) {
      for (Method method : type.getMethods()) {
        if (!Modifier.isStatic(method.getModifiers()) && !method.isBridge()) {
          names.add(name(type, method));
        }
      }
    }
    return names;
  }

  private static String name(Class<?> type, Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(
            Collectors.joining(", ", type.getSimpleName() + "." + method.getName() + "(", ")"));
  }
}
