package io.varve.internal.txn;

import io.varve.AsyncSpace;
import io.varve.Commit;
import io.varve.Cursor;
import io.varve.Decoder;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.SpaceStatistics;
import io.varve.Store;
import io.varve.spi.NonBlockingSpace;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A space whose changes have a durability of their own.
record SpaceView(LiveSpace live, Durability durability) implements SpaceHandle, NonBlockingSpace {
  @Override
  public Space with(Durability other) {
    return live.with(other);
  }

  @Override
  public AsyncSpace async() {
    return new AsyncWrites(live, durability);
  }

  @Override
  public Commit put(byte[] key, byte[] value) {
    return live.put(key, value, durability);
  }

  @Override
  public Commit put(byte[] key, InputStream value, long length) {
    return live.put(key, value, length, durability);
  }

  @Override
  public byte @Nullable [] getAndPut(byte[] key, byte[] value) {
    return live.getAndPut(key, value, durability);
  }

  @Override
  public byte @Nullable [] putIfAbsent(byte[] key, byte[] value) {
    return live.putIfAbsent(key, value, durability);
  }

  @Override
  public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] update) {
    return live.compareAndSet(key, expected, update, durability);
  }

  @Override
  public Commit delete(byte[] key) {
    return live.delete(key, durability);
  }

  @Override
  public byte @Nullable [] getAndDelete(byte[] key) {
    return live.getAndDelete(key, durability);
  }

  @Override
  public byte @Nullable [] merge(
      byte[] key, byte[] value, BinaryOperator<byte @Nullable []> remapping) {
    return live.merge(key, value, remapping, durability);
  }

  @Override
  public long deleteRange(Range range) {
    return live.deleteRange(range, durability);
  }

  @Override
  public SpaceCore core() {
    return live.core();
  }

  @Override
  public String name() {
    return live.name();
  }

  @Override
  public Store store() {
    return live.store();
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return live.get(key);
  }

  @Override
  public <T> @Nullable T get(byte[] key, Decoder<T> decoder) {
    return live.get(key, decoder);
  }

  @Override
  public boolean tryGet(byte[] key, Consumer<byte @Nullable []> found) {
    return live.tryGet(key, found);
  }

  @Override
  public @Nullable CompletionStage<Commit> tryPut(byte[] key, byte[] value) {
    return live.tryPut(key, value, durability);
  }

  @Override
  public @Nullable CompletionStage<Commit> tryDelete(byte[] key) {
    return live.tryDelete(key, durability);
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    return live.getAll(keys);
  }

  @Override
  public boolean contains(byte[] key) {
    return live.contains(key);
  }

  @Override
  public @Nullable InputStream read(byte[] key) {
    return live.read(key);
  }

  @Override
  public Cursor cursor(Range range) {
    return live.cursor(range);
  }

  @Override
  public Iterable<Entry> scan(Range range) {
    return live.scan(range);
  }

  @Override
  public Stream<Entry> stream(Range range) {
    return live.stream(range);
  }

  @Override
  public long count(Range range) {
    return live.count(range);
  }

  @Override
  public long approximateBytes(Range range) {
    return live.approximateBytes(range);
  }

  @Override
  public SpaceStatistics statistics() {
    return live.statistics();
  }

  @Override
  public String toString() {
    return live + " with " + durability;
  }
}
