package io.varve.item;

import io.varve.Space;
import io.varve.internal.item.ItemWriter;
import java.nio.CharBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.UUID;

/// An immutable tuple of typed components: what an [ItemSpace] is a set of.
///
/// ```java
/// Item title =
/// Item.builder().entityClass(PATENT).int64(6_789_012).attribute(TITLE).string("Folding
/// boat").build();
/// ```
///
/// Items are in order of their first components that differ: by type ([ComponentType]), then by
/// value; an item comes before any longer one that it starts. That is also the unsigned order of
/// their bytes ([#toBytes()]). Two items are equal if their components are.
///
/// @since 1.0
public final class Item extends Components implements Comparable<Item> {
  /// The longest item, in bytes.
  public static final int BYTES_MAX = Space.KEY_BYTES_MAX - 1;

  private static final Item EMPTY = new Item(new byte[0]);

  private final byte[] encoded;

  /// @param encoded whole components; not copied
  private Item(byte[] encoded) {
    this.encoded = encoded;
    show(encoded, encoded.length);
    size(); // finds all components, so that nothing changes when threads read this
  }

  /// @param encoded whole components; not copied
  static Item ofEncoded(byte[] encoded) {
    return new Item(encoded);
  }

  /// The item without components, which all others start with.
  public static Item empty() {
    return EMPTY;
  }

  /// The item of the components given.
  ///
  /// @param components [EntityClass], [Attribute], [String], [Long], [Integer] (as a long),
  ///   [Double], [Float], [Boolean], [Instant], [UUID], `byte[]`, `char[]`, or an [Item], whose
  ///   components are taken; for an index use the builder
  /// @throws IllegalArgumentException if one is of another class, or the item is too long
  public static Item of(Object... components) {
    Builder builder = builder();
    for (Object component : components) {
      builder.component(component);
    }
    return builder.build();
  }

  /// Begins an item.
  public static Builder builder() {
    return new Builder();
  }

  /// Begins an item that starts with the components of this.
  public Builder toBuilder() {
    return builder().item(this);
  }

  /// The item of the first components of this.
  ///
  /// @param count how many, 0 to [#size()]
  public Item prefix(int count) {
    return count == size() ? this : new Item(Arrays.copyOf(encoded, byteLength(count)));
  }

  /// The item of the components after the first ones of this.
  ///
  /// @param count how many are left out, 0 to [#size()]
  public Item suffix(int count) {
    return count == 0
        ? this
        : new Item(Arrays.copyOfRange(encoded, byteLength(count), encoded.length));
  }

  /// Whether this starts with all components of `prefix`.
  public boolean startsWith(Item prefix) {
    int length = prefix.encoded.length;
    return encoded.length >= length && Arrays.equals(encoded, 0, length, prefix.encoded, 0, length);
  }

  @Override
  public int compareTo(Item other) {
    return Arrays.compareUnsigned(encoded, other.encoded);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Item that && Arrays.equals(encoded, that.encoded);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(encoded);
  }

  /// The components, such as `(EntityClass-10, 6789012, Attribute-11, "Folding boat")`.
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("(");
    for (int i = 0; i < size(); i++) {
      text.append(i == 0 ? "" : ", ");
      switch (type(i)) {
        case STRING -> text.append('"').append(stringAt(i)).append('"');
        case CHARS -> text.append('\'').append(charsAt(i)).append('\'');
        case BYTES -> text.append("0x").append(HexFormat.of().formatHex(bytesAt(i)));
        case INDEX -> text.append('[').append(indexAt(i)).append(']');
        case ENTITY_CLASS, ATTRIBUTE, LONG, DOUBLE, FLOAT, BOOLEAN, INSTANT, UUID ->
            text.append(at(i));
      }
    }
    return text.append(')').toString();
  }

  /// Makes items, one component after the other. It may be used again: [#clear()] or [#truncate]
  /// and continue.
  ///
  /// For one thread at a time.
  public static final class Builder {
    private final ItemWriter writer = new ItemWriter();

    private Builder() {}

    /// Adds an entity class.
    public Builder entityClass(EntityClass value) {
      writer.entityClass(value.number());
      return this;
    }

    /// Adds an attribute.
    public Builder attribute(Attribute value) {
      writer.attribute(value.number());
      return this;
    }

    /// Adds a string: any sequence of chars.
    public Builder string(CharSequence value) {
      writer.string(value);
      return this;
    }

    /// Adds a long.
    public Builder int64(long value) {
      writer.int64(value);
      return this;
    }

    /// Adds a double.
    public Builder float64(double value) {
      writer.float64(value);
      return this;
    }

    /// Adds a float.
    public Builder float32(float value) {
      writer.float32(value);
      return this;
    }

    /// Adds a boolean.
    public Builder bool(boolean value) {
      writer.bool(value);
      return this;
    }

    /// Adds an instant.
    public Builder instant(Instant value) {
      writer.instant(value);
      return this;
    }

    /// Adds a copy of bytes.
    public Builder bytes(byte[] value) {
      return bytes(value, 0, value.length);
    }

    /// Adds a copy of a part of an array.
    public Builder bytes(byte[] value, int offset, int length) {
      Objects.checkFromIndexSize(offset, length, value.length);
      writer.bytes(value, offset, length);
      return this;
    }

    /// Adds chars.
    public Builder chars(CharSequence value) {
      writer.chars(value, 0, value.length());
      return this;
    }

    /// Adds an index.
    ///
    /// @param value not negative
    public Builder index(long value) {
      if (value < 0) {
        throw new IllegalArgumentException("index is negative: index=" + value);
      }
      writer.index(value);
      return this;
    }

    /// Adds a UUID.
    public Builder uuid(UUID value) {
      writer.uuid(value);
      return this;
    }

    /// Adds the components of an item.
    public Builder item(Item value) {
      writer.encoded(value.encoded, 0, value.encoded.length);
      return this;
    }

    /// Adds a component of one of the classes that [Item#of] lists.
    public Builder component(Object value) {
      return switch (value) {
        case EntityClass number -> entityClass(number);
        case Attribute number -> attribute(number);
        case String text -> string(text);
        case Long number -> int64(number);
        case Integer number -> int64(number);
        case Double number -> float64(number);
        case Float number -> float32(number);
        case Boolean truth -> bool(truth);
        case Instant time -> instant(time);
        case UUID id -> uuid(id);
        case byte[] bytes -> bytes(bytes);
        case char[] chars -> chars(CharBuffer.wrap(chars));
        case Item item -> item(item);
        default ->
            throw new IllegalArgumentException(
                "class of no component: class=" + value.getClass().getName());
      };
    }

    /// Forgets all components.
    public Builder clear() {
      return truncate(0);
    }

    /// The number of bytes so far, for [#truncate].
    public int byteLength() {
      return writer.length();
    }

    /// Forgets what was added after the builder had `byteLength` bytes.
    public Builder truncate(int byteLength) {
      Objects.checkIndex(byteLength, writer.length() + 1);
      writer.truncate(byteLength);
      return this;
    }

    /// Makes the item.
    ///
    /// @throws IllegalArgumentException if it is longer than [#BYTES_MAX]
    public Item build() {
      if (writer.length() > BYTES_MAX) {
        throw new IllegalArgumentException(
            "item too long: itemBytes="
                + writer.length()
                + ", max="
                + BYTES_MAX
                + "; keep long texts and binaries as streams under a shorter item");
      }
      return new Item(writer.toBytes());
    }
  }
}
