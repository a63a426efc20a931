package io.varve.json;

import io.varve.item.Attribute;
import io.varve.item.ComponentType;
import io.varve.item.Components;
import io.varve.item.EntityClass;
import io.varve.item.Item;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;

/// Components of items as texts, for the names of JSON: a string is itself, and all others begin
/// with `@`, the type and a colon, as `@long:12`. So does a string that is empty, begins with `@`,
/// or has surrogates without a partner, which UTF-8 cannot have.
final class ItemText {
  private static final String STRING = "@string:";
  private static final String STRING_UNITS = "@utf16:";
  private static final String CHARS = "@chars:";
  private static final String CHAR_UNITS = "@chars16:";
  private static final String ENTITY_CLASS = "@class:";
  private static final String ATTRIBUTE = "@attribute:";
  private static final String LONG = "@long:";
  private static final String DOUBLE = "@double:";
  private static final String FLOAT = "@float:";
  private static final String BOOLEAN = "@boolean:";
  private static final String INSTANT = "@instant:";
  private static final String BYTES = "@bytes:";
  private static final String INDEX = "@index:";
  private static final String ID = "@uuid:";

  private ItemText() {}

  /// The text of a component.
  static String write(Components item, int index) {
    return switch (item.type(index)) {
      case ENTITY_CLASS -> ENTITY_CLASS + item.entityClassAt(index);
      case ATTRIBUTE -> ATTRIBUTE + item.attributeAt(index);
      case STRING -> string(item.stringAt(index));
      case LONG -> LONG + item.longAt(index);
      case DOUBLE -> DOUBLE + item.doubleAt(index);
      case FLOAT -> FLOAT + item.floatAt(index);
      case BOOLEAN -> BOOLEAN + item.booleanAt(index);
      case INSTANT -> INSTANT + item.instantAt(index);
      case BYTES -> BYTES + Base64.getEncoder().encodeToString(item.bytesAt(index));
      case CHARS -> chars(new String(item.charsAt(index)));
      case INDEX -> index(item.indexAt(index));
      case UUID -> ID + item.uuidAt(index);
    };
  }

  /// The text of an index in a list.
  static String index(long index) {
    return INDEX + index;
  }

  private static String string(String text) {
    if (!isWellFormed(text)) {
      return STRING_UNITS + units(text);
    }
    return text.isEmpty() || text.charAt(0) == '@' ? STRING + text : text;
  }

  private static String chars(String text) {
    return isWellFormed(text) ? CHARS + text : CHAR_UNITS + units(text);
  }

  private static boolean isWellFormed(String text) {
    try {
      StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private static String units(String text) {
    StringBuilder units = new StringBuilder();
    text.chars().forEach(unit -> units.append(HexFormat.of().toHexDigits((char) unit)));
    return units.toString();
  }

  /// Adds the component that a text stands for.
  ///
  /// @throws IllegalArgumentException if it stands for none
  static void read(String text, Item.Builder item) {
    if (text.isEmpty() || text.charAt(0) != '@') {
      requireNotEmpty(text);
      item.string(text);
      return;
    }
    int start = text.indexOf(':') + 1;
    String value = text.substring(start);
    try {
      switch (text.substring(0, start)) {
        case STRING -> item.string(value);
        case STRING_UNITS -> item.string(ofUnits(value));
        case CHARS -> item.chars(value);
        case CHAR_UNITS -> item.chars(ofUnits(value));
        case ENTITY_CLASS -> item.entityClass(new EntityClass(Long.parseLong(value)));
        case ATTRIBUTE -> item.attribute(new Attribute(Long.parseLong(value)));
        case LONG -> item.int64(Long.parseLong(value));
        case DOUBLE -> item.float64(Double.parseDouble(value));
        case FLOAT -> item.float32(Float.parseFloat(value));
        case BOOLEAN -> item.bool(truth(value));
        case INSTANT -> item.instant(Instant.parse(value));
        case BYTES -> item.bytes(Base64.getDecoder().decode(value));
        case INDEX -> item.index(Long.parseLong(value));
        case ID -> item.uuid(UUID.fromString(value));
        default -> throw new IllegalArgumentException("unknown type");
      }
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new IllegalArgumentException(
          "a name stands for no component: type="
              + text.substring(0, Math.min(start, STRING.length() + 4))
              + ", problem="
              + e.getMessage()
              + "; write @type:value, and a string that begins with @ as @string:@",
          e);
    }
  }

  /// The one text of the component that a text stands for. The empty text, which stands for none,
  /// is itself.
  ///
  /// @throws IllegalArgumentException if it stands for no component
  static String canonical(String text) {
    if (text.isEmpty() || text.charAt(0) != '@') {
      return text.isEmpty() ? text : string(text);
    }
    Item.Builder item = Item.builder();
    read(text, item);
    return write(item.build(), 0);
  }

  private static void requireNotEmpty(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException(
          "an empty name has null alone as its value; write @string: for an empty string");
    }
  }

  private static boolean truth(String value) {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("neither true nor false");
    };
  }

  private static String ofUnits(String hex) {
    byte[] units = HexFormat.of().parseHex(hex);
    if (units.length % 2 != 0) {
      throw new IllegalArgumentException("half of a char");
    }
    char[] chars = new char[units.length / 2];
    for (int i = 0; i < chars.length; i++) {
      chars[i] = (char) (((units[2 * i] & 0xff) << 8) | (units[2 * i + 1] & 0xff));
    }
    return new String(chars);
  }

  /// Whether a component stands for itself as a value of JSON.
  static boolean isPlain(Components item, int index) {
    ComponentType type = item.type(index);
    return type == ComponentType.LONG
        || type == ComponentType.BOOLEAN
        || (type == ComponentType.DOUBLE && Double.isFinite(item.doubleAt(index)));
  }
}
