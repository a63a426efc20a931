package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Space;
import java.io.ByteArrayInputStream;

/// The calls of a space that answer by a stage.
final class AsyncSpaceCalls extends InterfaceCalls {
  AsyncSpaceCalls() {
    add("AsyncSpace.space()", c -> assertThat(c.space.async().space().name()).isEqualTo("shared"));
    addAsyncChanges();
  }

  private void addAsyncChanges() {
    addRemoval(
        "AsyncSpace.delete(byte[])",
        c -> c.space.async().delete(c.key()).toCompletableFuture().join());
    addWrite(
        "AsyncSpace.put(byte[], byte[])",
        c -> c.space.async().put(c.key(), c.value()).toCompletableFuture().join());
    addWrite(
        "AsyncSpace.put(byte[], InputStream, long)",
        c -> {
          byte[] value = c.value();
          var stream = new ByteArrayInputStream(value);
          c.space.async().put(c.key(), stream, value.length).toCompletableFuture().join();
        });
    addWrite(
        "AsyncSpace.getAndPut(byte[], byte[])",
        c -> c.requireExpected(done(c.space.async().getAndPut(c.key(), c.value()))));
    addRemoval(
        "AsyncSpace.getAndDelete(byte[])",
        c -> c.requireExpected(done(c.space.async().getAndDelete(c.key()))));
    addWrite(
        "AsyncSpace.merge(byte[], byte[], BinaryOperator)",
        c ->
            assertThat(done(c.space.async().merge(c.key(), c.value(), (_, given) -> given)))
                .isNotNull());
    add(
        "AsyncSpace.compareAndSet(byte[], byte[], byte[])",
        c -> {
          assertThat(done(c.space.async().compareAndSet(c.key(), c.expected(), c.value())))
              .isTrue();
          c.wrote();
        });
    add(
        "AsyncSpace.putIfAbsent(byte[], byte[])",
        c -> {
          byte[] there = done(c.space.async().putIfAbsent(c.key(), c.value()));
          c.requireExpected(there);
          if (there == null) {
            c.wrote();
          }
        });
    add(
        "AsyncSpace.deleteRange(Range)",
        c -> c.removed(c.part(), done(c.space.async().deleteRange(c.part()))));
    add(
        "AsyncSpace.clear()",
        c -> {
          Space space = c.store.space(c.otherName());
          space.put(c.key(), c.value());
          assertThat(done(space.async().clear())).isEqualTo(1);
          c.store.dropSpace(space.name());
        });
  }
}
