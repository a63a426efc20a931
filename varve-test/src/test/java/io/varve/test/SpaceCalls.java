package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Entry;
import io.varve.Space;
import io.varve.spi.NonBlockingSpace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The calls of a space that wait for their answer, and those that have none where they would wait.
final class SpaceCalls extends InterfaceCalls {
  SpaceCalls() {
    addSpaceReads();
    addSpaceChanges();
  }

  private void addSpaceReads() {
    add("Space.statistics()", c -> assertThat(c.space.statistics().name()).isEqualTo("shared"));
    add(
        "Space.approximateBytes(Range)",
        c -> assertThat(c.space.approximateBytes(c.own)).isNotNegative());
    add(
        "Space.contains(byte[])",
        c -> assertThat(c.space.contains(c.key())).isEqualTo(c.expected() != null));
    add(
        "Space.count(Range)",
        c -> assertThat(c.space.count(c.own)).isEqualTo(c.expected(c.own).size()));
    add("Space.cursor(Range)", c -> c.space.cursor(c.own).close());
    add("Space.get(byte[])", c -> c.requireExpected(c.space.get(c.key())));
    add(
        "Space.get(byte[], Decoder)",
        c -> c.requireExpected(c.space.get(c.key(), InterfaceCalls::bytes)));
    add("Space.getAll(List)", c -> c.requireExpected(c.space.getAll(List.of(c.key())).getFirst()));
    add("Space.name()", c -> assertThat(c.space.name()).isEqualTo("shared"));
    add(
        "NonBlockingSpace.tryGet(byte[], Consumer)",
        c -> {
          if (!NonBlockingSpace.of(c.space).tryGet(c.key(), c::requireExpected)) {
            c.requireExpected(c.space.get(c.key()));
          }
        });
    add(
        "Space.read(byte[])",
        c -> {
          try (InputStream stream = c.space.read(c.key())) {
            c.requireExpected(stream == null ? null : stream.readAllBytes());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    add("Space.async()", c -> assertThat(c.space.async()).isNotNull());
    add("Space.first(Range)", c -> requireEnd(c, c.space.first(c.part())));
    add("Space.last(Range)", c -> requireEnd(c, c.space.last(c.part())));
    add("Space.scan(Range)", c -> c.requireEntries(c.part(), c.space.scan(c.part())));
    add("Space.store()", c -> assertThat(c.space.store()).isSameAs(c.store));
    add(
        "Space.stream(Range)",
        c -> {
          try (Stream<Entry> stream = c.space.stream(c.part())) {
            c.requireEntries(c.part(), stream::iterator);
          }
        });
  }

  private static void requireEnd(Caller c, @Nullable Entry end) {
    assertThat(end == null).isEqualTo(c.expected(c.part()).isEmpty());
  }

  private void addSpaceChanges() {
    add(
        "Space.compareAndSet(byte[], byte[], byte[])",
        c -> {
          assertThat(c.space.compareAndSet(c.key(), c.expected(), c.value())).isTrue();
          c.wrote();
        });
    addRemoval("Space.delete(byte[])", c -> c.space.delete(c.key()));
    addRemoval(
        "NonBlockingSpace.tryDelete(byte[])",
        c -> {
          if (NonBlockingSpace.of(c.space).tryDelete(c.key()) == null) {
            c.space.delete(c.key());
          }
        });
    add(
        "Space.clear()",
        c -> {
          Space space = c.store.space(c.otherName());
          space.put(c.key(), c.value());
          assertThat(space.clear()).isEqualTo(1);
          c.store.dropSpace(space.name());
        });
    add("Space.deleteRange(Range)", c -> c.removed(c.part(), c.space.deleteRange(c.part())));
    addRemoval("Space.getAndDelete(byte[])", c -> c.requireExpected(c.space.getAndDelete(c.key())));
    addWrite(
        "Space.getAndPut(byte[], byte[])",
        c -> c.requireExpected(c.space.getAndPut(c.key(), c.value())));
    addWrite(
        "Space.merge(byte[], byte[], BinaryOperator)",
        c -> assertThat(c.space.merge(c.key(), c.value(), (_, given) -> given)).isNotNull());
    addWrite("Space.put(byte[], byte[])", c -> c.space.put(c.key(), c.value()));
    addWrite(
        "Space.with(Durability)", c -> c.space.with(Durability.POWER_LOSS).put(c.key(), c.value()));
    addWrite(
        "Space.put(byte[], InputStream, long)",
        c -> c.space.put(c.key(), new ByteArrayInputStream(c.value()), c.value().length));
    addWrite(
        "NonBlockingSpace.tryPut(byte[], byte[])",
        c -> {
          if (NonBlockingSpace.of(c.space).tryPut(c.key(), c.value()) == null) {
            c.space.put(c.key(), c.value());
          }
        });
    add(
        "Space.putIfAbsent(byte[], byte[])",
        c -> {
          byte[] there = c.space.putIfAbsent(c.key(), c.value());
          c.requireExpected(there);
          if (there == null) {
            c.wrote();
          }
        });
  }
}
