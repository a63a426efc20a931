package io.varve.internal.map;

import io.varve.Cursor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;

/// A cursor over entries that end. It passes over those that have, and shows values without their
/// ends. For one thread at a time.
final class EndingCursor implements Cursor {
  private final Cursor stored;
  private final long nowMillis;
  private final byte[] end = new byte[EndingValue.END_BYTES];

  /// @param nowMillis the time by which entries have ended
  EndingCursor(Cursor stored, long nowMillis) {
    this.stored = stored;
    this.nowMillis = nowMillis;
  }

  private boolean hasEnded() {
    int length = stored.readValue(end);
    long endMillis = EndingValue.endMillis(length < end.length ? stored.value() : end);
    return EndingValue.isOver(endMillis, nowMillis);
  }

  private boolean forward(boolean found) {
    boolean there = found;
    while (there && hasEnded()) {
      there = stored.next();
    }
    return there;
  }

  private boolean backward(boolean found) {
    boolean there = found;
    while (there && hasEnded()) {
      there = stored.previous();
    }
    return there;
  }

  @Override
  public boolean first() {
    return forward(stored.first());
  }

  @Override
  public boolean last() {
    return backward(stored.last());
  }

  @Override
  public boolean seek(byte[] key) {
    return forward(stored.seek(key));
  }

  @Override
  public boolean seekFloor(byte[] key) {
    return backward(stored.seekFloor(key));
  }

  @Override
  public boolean next() {
    return forward(stored.next());
  }

  @Override
  public boolean previous() {
    return backward(stored.previous());
  }

  @Override
  public byte[] key() {
    return stored.key();
  }

  @Override
  public byte[] value() {
    return EndingValue.value(stored.value());
  }

  @Override
  public int readKey(byte[] target) {
    return stored.readKey(target);
  }

  @Override
  public int readValue(byte[] target) {
    MemorySegment value = valueSegment();
    int length = (int) value.byteSize();
    MemorySegment.copy(value, 0, MemorySegment.ofArray(target), 0, Math.min(length, target.length));
    return length;
  }

  @Override
  public int valueLength() {
    return stored.valueLength() - end.length;
  }

  @Override
  public MemorySegment valueSegment() {
    return stored.valueSegment().asSlice(end.length);
  }

  @Override
  public InputStream valueStream() {
    InputStream stream = stored.valueStream();
    try {
      stream.skipNBytes(end.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return stream;
  }

  @Override
  public void close() {
    stored.close();
  }
}
