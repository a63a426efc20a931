package io.varve.item;

import io.varve.internal.item.ItemBytes;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The components of an item, counted from 0, read in place. Each getter is for one type, and
/// throws [IndexOutOfBoundsException] if there is no such component, [IllegalStateException] if it
/// is of another type.
///
/// An [Item] has its own forever; those of an [ItemCursor] are those of the item that it is on.
///
/// @since 1.0
public abstract class Components {
  private static final int OFFSETS = 8;

  private byte[] bytes = new byte[0];
  private int end;

  /// Where the components start that were looked for so far, and where the last of them ends. Used
  /// again for the next item.
  private int[] offsets = new int[OFFSETS];

  private int known;

  /// Makes the components of nothing.
  protected Components() {}

  /// Shows another item from now on.
  ///
  /// @param encoded holds the item in its first `length` bytes; not copied
  protected final void show(byte[] encoded, int length) {
    bytes = encoded;
    end = length;
    known = 0;
  }

  /// Called before components are read.
  ///
  /// @throws IllegalStateException if there are none to be read now
  protected void requireShown() {}

  private boolean find(int index) {
    while (known <= index) {
      int start = offsets[known];
      if (start >= end) {
        return false;
      }
      if (known + 1 == offsets.length) {
        offsets = Arrays.copyOf(offsets, 2 * offsets.length);
      }
      offsets[known + 1] = ItemBytes.skip(bytes, start, end);
      known++;
    }
    return true;
  }

  private int offset(int index) {
    requireShown();
    if (index < 0 || !find(index)) {
      throw new IndexOutOfBoundsException(
          "no such component: index=" + index + ", components=" + size());
    }
    return offsets[index];
  }

  private int offset(int index, ComponentType expected) {
    int offset = offset(index);
    ComponentType found = ItemBytes.type(bytes, offset);
    if (found != expected) {
      throw isOther(index, expected, found);
    }
    return offset;
  }

  private static IllegalStateException isOther(
      int index, ComponentType expected, @Nullable ComponentType found) {
    return new IllegalStateException(
        "component is of another type: index="
            + index
            + ", expected="
            + expected
            + ", found="
            + found);
  }

  /// A copy of the bytes of the item, whose unsigned order is the order of items.
  public final byte[] toBytes() {
    requireShown();
    return Arrays.copyOf(bytes, end);
  }

  /// The length of the item in bytes.
  public final int byteLength() {
    requireShown();
    return end;
  }

  /// The length in bytes of the first components.
  ///
  /// @param count how many
  final int byteLength(int count) {
    if (count == 0) {
      return 0;
    }
    offset(count - 1);
    return offsets[count];
  }

  /// The number of components.
  public final int size() {
    requireShown();
    while (find(known)) {
      // each look finds one more
    }
    return known;
  }

  /// The type of a component.
  public final ComponentType type(int index) {
    ComponentType type = ItemBytes.type(bytes, offset(index));
    if (type == null) {
      throw new IllegalStateException("component was changed while it was read: index=" + index);
    }
    return type;
  }

  /// The number of an entity class.
  public final long entityClassAt(int index) {
    return ItemBytes.entityClass(bytes, offset(index, ComponentType.ENTITY_CLASS));
  }

  /// The number of an attribute.
  public final long attributeAt(int index) {
    return ItemBytes.attribute(bytes, offset(index, ComponentType.ATTRIBUTE));
  }

  /// A string.
  public final String stringAt(int index) {
    int offset = offset(index, ComponentType.STRING);
    return new String(ItemBytes.text(bytes, offset, offsets[index + 1]));
  }

  /// A long.
  public final long longAt(int index) {
    return ItemBytes.int64(bytes, offset(index, ComponentType.LONG));
  }

  /// A double.
  public final double doubleAt(int index) {
    return ItemBytes.float64(bytes, offset(index, ComponentType.DOUBLE));
  }

  /// A float.
  public final float floatAt(int index) {
    return ItemBytes.float32(bytes, offset(index, ComponentType.FLOAT));
  }

  /// A boolean.
  public final boolean booleanAt(int index) {
    return ItemBytes.bool(bytes, offset(index, ComponentType.BOOLEAN));
  }

  /// An instant.
  public final Instant instantAt(int index) {
    return ItemBytes.instant(bytes, offset(index, ComponentType.INSTANT));
  }

  /// A copy of the bytes.
  public final byte[] bytesAt(int index) {
    int offset = offset(index, ComponentType.BYTES);
    return ItemBytes.bytes(bytes, offset, offsets[index + 1]);
  }

  /// Copies bytes into `target` from index 0, as many as fit. Allocates nothing.
  ///
  /// @return how many there are
  public final int readBytesAt(int index, byte[] target) {
    return ItemBytes.readBytes(bytes, offset(index, ComponentType.BYTES), target);
  }

  /// A copy of the chars.
  public final char[] charsAt(int index) {
    int offset = offset(index, ComponentType.CHARS);
    return ItemBytes.text(bytes, offset, offsets[index + 1]);
  }

  /// Copies the chars of a string or of chars into `target` from index 0, as many as fit. Allocates
  /// nothing.
  ///
  /// @return how many there are
  public final int readCharsAt(int index, char[] target) {
    int offset = offset(index);
    ComponentType found = ItemBytes.type(bytes, offset);
    if (found != ComponentType.STRING && found != ComponentType.CHARS) {
      throw isOther(index, ComponentType.STRING, found);
    }
    return ItemBytes.readText(bytes, offset, target);
  }

  /// An index.
  public final long indexAt(int index) {
    return ItemBytes.index(bytes, offset(index, ComponentType.INDEX));
  }

  /// A UUID.
  public final UUID uuidAt(int index) {
    return ItemBytes.uuid(bytes, offset(index, ComponentType.UUID));
  }

  /// The component as an object of its type; an entity class or attribute without its name.
  public final Object at(int index) {
    return switch (type(index)) {
      case ENTITY_CLASS -> new EntityClass(entityClassAt(index));
      case ATTRIBUTE -> new Attribute(attributeAt(index));
      case STRING -> stringAt(index);
      case LONG -> longAt(index);
      case DOUBLE -> doubleAt(index);
      case FLOAT -> floatAt(index);
      case BOOLEAN -> booleanAt(index);
      case INSTANT -> instantAt(index);
      case BYTES -> bytesAt(index);
      case CHARS -> charsAt(index);
      case INDEX -> indexAt(index);
      case UUID -> uuidAt(index);
    };
  }
}
