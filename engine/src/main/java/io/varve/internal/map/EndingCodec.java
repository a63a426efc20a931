package io.varve.internal.map;

import io.varve.Codec;

/// The codec of the values of a table whose entries end, for its definition: it reads a value
/// without its end, and writes one that has none.
///
/// @param values without their ends
/// @param <V> the values
public record EndingCodec<V>(Codec<V> values) implements Codec<V> {
  private static final String START = "ending(";

  @Override
  public byte[] encode(V value) {
    return EndingValue.of(EndingValue.NEVER, values.encode(value));
  }

  @Override
  public V decode(byte[] bytes) {
    EndingValue.endMillis(bytes); // refuses what has none
    return values.decode(EndingValue.value(bytes));
  }

  @Override
  public String id() {
    String id = values.id();
    return id.isEmpty() ? "" : START + id + ")";
  }

  @Override
  public boolean reads(String id) {
    return id.startsWith(START)
        && id.endsWith(")")
        && values.reads(id.substring(START.length(), id.length() - 1));
  }
}
