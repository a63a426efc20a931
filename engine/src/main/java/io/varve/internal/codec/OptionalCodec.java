package io.varve.internal.codec;

import io.varve.Codec;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// One byte, 0 for what is absent, or 1 and then the bytes of the value.
///
/// @param present the codec of values
/// @param <T> the values
public record OptionalCodec<T>(Codec<T> present) implements VariableLengthCodec<Optional<T>> {
  @Override
  public byte[] encode(Optional<T> value) {
    if (value.isEmpty()) {
      return new byte[1];
    }
    byte[] bytes = present.encode(value.get());
    byte[] marked = new byte[1 + bytes.length];
    marked[0] = 1;
    System.arraycopy(bytes, 0, marked, 1, bytes.length);
    return marked;
  }

  @Override
  public Optional<T> decode(byte[] bytes) {
    if (bytes.length == 1 && bytes[0] == 0) {
      return Optional.empty();
    }
    if (bytes.length == 0 || bytes[0] != 1) {
      throw Malformed.refusal("optional", "first byte", "0 alone, or 1", "others");
    }
    return Optional.of(present.decode(Arrays.copyOfRange(bytes, 1, bytes.length)));
  }

  @Override
  public Comparator<? super Optional<T>> comparator() {
    Comparator<? super T> order = Parts.order(present);
    return (left, right) ->
        left.isPresent() && right.isPresent()
            ? order.compare(left.get(), right.get())
            : Boolean.compare(left.isPresent(), right.isPresent());
  }

  @Override
  public String id() {
    return CodecIds.composite("optional", List.of(present.id()));
  }

  @Override
  public boolean reads(String id) {
    List<String> parts = CodecIds.partsOf("optional", id);
    return id.equals(id()) || (parts.size() == 1 && Parts.reads(present, parts.getFirst()));
  }

  @Override
  public String toString() {
    return "Codec[optional]";
  }
}
