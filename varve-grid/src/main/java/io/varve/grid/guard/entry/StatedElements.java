package io.varve.grid.guard.entry;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.BitSet;
import org.infinispan.protostream.WrappedMessage;
import org.infinispan.protostream.descriptors.WireType;

/// How many elements the lists and arrays in a message of Protocol Buffers state.
///
/// A list is three fields in any order: its length, the name of its type, and a message. It may be
/// at any depth of any message. So the three are looked for from each byte, with no schema and no
/// recursion. Each length is counted one time.
///
/// **Threads:** of one.
final class StatedElements {
  /// What the names of all types begin with that Infinispan makes of a length.
  private static final byte[] TYPES = "org.infinispan.protostream.commons.".getBytes(US_ASCII);

  private static final int LENGTH =
      WireType.makeTag(WrappedMessage.WRAPPED_CONTAINER_SIZE, WireType.WIRETYPE_VARINT);
  private static final int TYPE =
      WireType.makeTag(
          WrappedMessage.WRAPPED_CONTAINER_TYPE_NAME, WireType.WIRETYPE_LENGTH_DELIMITED);
  private static final int MESSAGE =
      WireType.makeTag(
          WrappedMessage.WRAPPED_CONTAINER_MESSAGE, WireType.WIRETYPE_LENGTH_DELIMITED);
  private static final int FIELDS = 3;
  private static final int VARINT_BITS_MAX = 64;

  private final byte[] message;
  private final BitSet counted = new BitSet();
  private int at;

  private StatedElements(byte[] message) {
    this.message = message;
  }

  /// The elements that all lists of a message state together.
  static long of(byte[] message) {
    var lists = new StatedElements(message);
    long stated = 0;
    for (int start = 0; start < message.length; start++) {
      if (isFirstOf(LENGTH, message[start])
          || isFirstOf(TYPE, message[start])
          || isFirstOf(MESSAGE, message[start])) {
        stated += lists.statedFrom(start);
      }
    }
    return stated;
  }

  private static boolean isFirstOf(int tag, byte first) {
    return first == (byte) (tag | 0x80);
  }

  /// What a list states that begins at a byte; 0 if none does, or if it is counted.
  private long statedFrom(int start) {
    at = start;
    int lengthAt = -1;
    int length = 0;
    boolean isList = false;
    boolean hasMessage = false;
    for (int field = 0; field < FIELDS && at < message.length; field++) {
      long tag = varint();
      if (tag == LENGTH) {
        lengthAt = at;
        length = (int) varint(); // as Infinispan takes it
      } else if (tag == TYPE || tag == MESSAGE) {
        int bytes = (int) varint();
        if (bytes < 0 || bytes > message.length - at) {
          return 0;
        }
        isList |= tag == TYPE && isOfList(bytes);
        hasMessage |= tag == MESSAGE;
        at += bytes;
      } else {
        return 0;
      }
    }
    if (!isList || !hasMessage || lengthAt < 0 || counted.get(lengthAt)) {
      return 0;
    }
    counted.set(lengthAt);
    return Math.max(length, 0);
  }

  private boolean isOfList(int bytes) {
    return bytes >= TYPES.length
        && Arrays.equals(message, at, at + TYPES.length, TYPES, 0, TYPES.length);
  }

  /// The next number; -1 where it does not end.
  private long varint() {
    long value = 0;
    for (int bits = 0; bits < VARINT_BITS_MAX && at < message.length; bits += 7) {
      byte next = message[at++];
      value |= (long) (next & 0x7f) << bits;
      if (next >= 0) {
        return value;
      }
    }
    return -1;
  }
}
