package io.varve.cache.mapreduce;

import io.varve.cache.Marshaller;
import java.util.UUID;

/// About the bytes that objects take on the heap. Those of plain classes are known; of others some
/// are marshalled, and the mean stands for those between. For one thread.
///
/// @param <T> the objects
final class Measure<T> {
  /// One object of so many is marshalled, and all of the first so many.
  private static final int SAMPLE = 16;

  private static final int OBJECT_BYTES = 16;
  private static final int STRING_BYTES = 40;

  private final Marshaller<T> marshaller;
  private long seen;
  private long samples;
  private long sampledBytes;

  Measure(Marshaller<T> marshaller) {
    this.marshaller = marshaller;
  }

  long bytes(T object) {
    int known = plainBytes(object);
    if (known >= 0) {
      return known;
    }
    if (seen++ % SAMPLE == 0 || samples < SAMPLE) {
      samples++;
      sampledBytes += marshalledBytes(object);
    }
    return sampledBytes / samples;
  }

  /// Of one object, by marshalling it.
  long marshalledBytes(T object) {
    return OBJECT_BYTES + (long) marshaller.toBytes(object).length;
  }

  /// Of an object of a plain class; -1 for any other.
  static int plainBytes(Object object) {
    return switch (object) {
      case Long _ -> 24;
      case Integer _ -> OBJECT_BYTES;
      case String text -> STRING_BYTES + text.length();
      case byte[] bytes -> OBJECT_BYTES + bytes.length;
      case Double _ -> 24;
      case Float _ -> OBJECT_BYTES;
      case Short _ -> OBJECT_BYTES;
      case Byte _ -> OBJECT_BYTES;
      case Character _ -> OBJECT_BYTES;
      case Boolean _ -> OBJECT_BYTES;
      case UUID _ -> 32;
      default -> -1;
    };
  }
}
