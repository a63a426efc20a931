package io.varve.internal.codec;

import io.varve.Codec;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A codec with an id that a user gave.
///
/// @param codec what it does
/// @param id what it is called
/// @param <T> the values
public record NamedCodec<T>(Codec<T> codec, String id) implements Codec<T> {
  /// The longest id that a user may give, in characters.
  public static final int ID_LENGTH_MAX = 200;

  /// Refuses an id that is none.
  public NamedCodec {
    Objects.requireNonNull(codec, "codec");
    if (id.isEmpty() || id.length() > ID_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "id of a codec out of range: length=" + id.length() + ", min=1, max=" + ID_LENGTH_MAX);
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(id) || !CodecIds.canBePart(id)) {
      throw new IllegalArgumentException(
          "id of a codec makes no sense within another: id="
              + id
              + "; let its parentheses match, have commas within them alone, and no half of a pair"
              + " of surrogates");
    }
  }

  @Override
  public boolean reads(String other) {
    if (other.equals(id) || codec.reads(other)) {
      return true;
    }
    return codec instanceof ComponentsCodec<?> components && components.reads(id, other);
  }

  @Override
  public byte[] encode(T value) {
    return codec.encode(value);
  }

  @Override
  public T decode(byte[] bytes) {
    return codec.decode(bytes);
  }

  @Override
  public @Nullable Comparator<? super T> comparator() {
    return codec.comparator();
  }

  @Override
  public String toString() {
    return "Codec[" + id + "]";
  }
}
