package io.varve;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.util.Set;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuarantee;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/// What Lincheck does not look into when it tries the orders in which two threads may continue.
final class LincheckParts {
  /// Collections that one thread has, or that a lock of ours guards. Lincheck switches to the other
  /// thread in none of them in any case, but counts each of their steps: half of its time.
  private static final Set<String> COLLECTIONS =
      Set.of(
          "java.util.AbstractCollection",
          "java.util.ArrayList",
          "java.util.HashMap",
          "java.util.HashSet",
          "java.util.ImmutableCollections",
          "java.util.LinkedHashMap",
          "java.util.List",
          "java.util.TreeMap",
          "java.util.TreeSet");

  /// Methods of collections that call code of ours, which is looked into.
  private static final Set<String> WITH_CALLBACKS =
      Set.of("forEach", "removeIf", "computeIfAbsent", "compute", "merge", "replaceAll");

  private LincheckParts() {}

  /// Leaves out what has no order of its own, so that more orders of the rest are tried in the same
  /// time.
  ///
  /// - The accesses of page bytes are steps of their own, but are not looked into: Lincheck does
  ///   not know the handles that they use.
  /// - Nor is the retiring of pages, which asserts that it holds a monitor: Lincheck puts its own
  ///   monitor there.
  /// - Records of the locks that a thread holds, which assertions read, are that thread's.
  static ModelCheckingOptions leaveOut(ModelCheckingOptions options) {
    return options
        .addGuarantee(forClasses("io.varve.internal.page.Bytes").allMethods().treatAsAtomic())
        .addGuarantee(forClasses("io.varve.internal.cache.Pages").methods("retire").treatAsAtomic())
        .addGuarantee(ignored("io.varve.internal.lock.StoreLocks"))
        .addGuarantee(ignored("io.varve.internal.disk.StackProbe"))
        .addGuarantee(
            forClasses(name -> COLLECTIONS.contains(outer(name)))
                .methods(name -> !WITH_CALLBACKS.contains(name))
                .ignore());
  }

  private static ManagedStrategyGuarantee ignored(String className) {
    return forClasses(className).allMethods().ignore();
  }

  /// The name of the class that a nested one is in.
  private static String outer(String className) {
    int end = className.indexOf('$');
    return end < 0 ? className : className.substring(0, end);
  }
}
