package io.varve.internal.codec;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/// Constants of an enum by name: in the order of their names, so that a constant may be added
/// anywhere.
///
/// @param <E> the enum
public final class EnumCodec<E extends Enum<E>> implements VariableLengthCodec<E> {
  private final Class<E> type;
  private final Map<String, E> byName = new HashMap<>();

  /// Makes a codec of the constants that `type` has now.
  public EnumCodec(Class<E> type) {
    this.type = type;
    for (E constant : type.getEnumConstants()) {
      byName.put(constant.name(), constant);
    }
  }

  @Override
  public byte[] encode(E value) {
    return StringCodec.INSTANCE.encode(type.cast(value).name());
  }

  @Override
  public E decode(byte[] bytes) {
    E constant = byName.get(StringCodec.INSTANCE.decode(bytes));
    if (constant == null) {
      throw Malformed.refusal(id(), "name", "one of " + byName.size() + " constants", "another");
    }
    return constant;
  }

  @Override
  public Comparator<? super E> comparator() {
    return Comparator.comparing(Enum::name, StringCodec.INSTANCE.comparator());
  }

  @Override
  public String id() {
    return "enum:" + type.getSimpleName();
  }

  @Override
  public String toString() {
    return "Codec[" + id() + "]";
  }
}
