package io.varve.test;

import io.varve.ReadView;
import io.varve.Snapshot;
import io.varve.Written;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The calls of one interface, each with a check of its answer: a part of the [PublicCalls].
abstract class InterfaceCalls {
  private final SortedMap<String, Consumer<Caller>> calls = new TreeMap<>();

  /// The calls by name, as `Space.get(byte[])`.
  final SortedMap<String, Consumer<Caller>> byName() {
    return calls;
  }

  final void add(String name, Consumer<Caller> call) {
    if (calls.put(name, call) != null) {
      throw new IllegalStateException("call is there twice: " + name);
    }
  }

  final void addWrite(String name, Consumer<Caller> call) {
    add(name, call.andThen(Caller::wrote));
  }

  final void addRemoval(String name, Consumer<Caller> call) {
    add(name, call.andThen(Caller::removed));
  }

  static void inSnapshot(Caller c, Consumer<ReadView> work) {
    try (Snapshot snapshot = c.store.snapshot()) {
      work.accept(snapshot);
    }
  }

  static <T extends @Nullable Object> T done(CompletionStage<Written<T>> stage) {
    return stage.toCompletableFuture().join().value();
  }

  static byte[] bytes(MemorySegment segment) {
    return segment.toArray(ValueLayout.JAVA_BYTE);
  }
}
