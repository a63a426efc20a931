package io.varve.test;

import io.varve.AsyncSpace;
import io.varve.Cursor;
import io.varve.OrderedMap;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.Transaction;
import io.varve.Watch;
import io.varve.admin.Backups;
import io.varve.item.ItemSnapshot;
import io.varve.item.ItemSpace;
import io.varve.spi.NonBlockingSpace;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Every public call of a store and of what it gives out, each with a check of its answer.
///
/// The table is complete: [#declared()] names all methods of the interfaces, [#all()] the calls,
/// and a test compares them.
final class PublicCalls {
  private static final List<Class<?>> INTERFACES =
      List.of(
          Store.class,
          Space.class,
          AsyncSpace.class,
          NonBlockingSpace.class,
          Snapshot.class,
          Transaction.class,
          Cursor.class,
          Watch.class,
          OrderedMap.class,
          ItemSpace.class,
          ItemSnapshot.class);

  private PublicCalls() {}

  /// The calls by name, as `Space.get(byte[])`.
  static SortedMap<String, Consumer<Caller>> all() {
    SortedMap<String, Consumer<Caller>> all = new TreeMap<>();
    for (InterfaceCalls calls :
        List.of(
            new StoreCalls(),
            new SpaceCalls(),
            new AsyncSpaceCalls(),
            new ViewCalls(),
            new CursorCalls(),
            new MapCalls(),
            new ItemCalls())) {
      calls
          .byName()
          .forEach((name, call) -> {
            if (all.put(name, call) != null) {
              throw new IllegalStateException("call is there twice: " + name);
            }
          });
    }
    return all;
  }

  /// The names of all methods that the interfaces declare or inherit, and of those that take a
  /// backup of a store.
  static SortedSet<String> declared() {
    SortedSet<String> names = new TreeSet<>();
    for (Class<?> type : INTERFACES) {
      for (Method method : type.getMethods()) {
        if (!Modifier.isStatic(method.getModifiers()) && !method.isBridge()) {
          names.add(name(type, method));
        }
      }
    }
    for (Method method : Backups.class.getMethods()) {
      if (List.of(method.getParameterTypes()).contains(Store.class)) {
        names.add(name(Backups.class, method));
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
