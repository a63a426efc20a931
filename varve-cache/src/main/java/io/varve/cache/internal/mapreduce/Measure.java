package io.varve.cache.internal.mapreduce;

import io.varve.cache.Marshaller;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;

/// About the bytes that objects take on the heap. Those of plain classes are known; of others some
/// are marshalled, and represent those between: by the mean of the last ones, for each of the
/// things that an array, a collection or a map holds. For one thread.
///
/// @param <T> the objects
public final class Measure<T> {
  /// One object of so many is marshalled, and all of the first so many; also of those after one
  /// that took more than twice what it was taken for.
  private static final int SAMPLE = 16;

  /// Objects that hold so many things are all marshalled, and those after one that took so many
  /// bytes.
  private static final int LARGE_UNITS = 256;

  private static final int LARGE_BYTES = 4096;

  private static final int OBJECT_BYTES = 16;
  private static final int STRING_BYTES = 40;

  private final Marshaller<T> marshaller;
  private int unsampled; // since the last sample
  private int eachLeft = SAMPLE; // so many are all marshalled
  private double unitBytes; // of the last samples, each of which counts a quarter of the rest

  public Measure(Marshaller<T> marshaller) {
    this.marshaller = marshaller;
  }

  public long bytes(T object) {
    int known = plainBytes(object);
    if (known >= 0) {
      return known;
    }
    int units = units(object);
    if (eachLeft > 0 || units >= LARGE_UNITS || ++unsampled == SAMPLE) {
      return sampled(object, units);
    }
    return (long) (unitBytes * units);
  }

  private long sampled(T object, int units) {
    long bytes = marshalledBytes(object);
    unsampled = 0;
    eachLeft = Math.max(0, eachLeft - 1);
    double ofUnit = (double) bytes / units;
    if (ofUnit > 2 * unitBytes || bytes >= LARGE_BYTES) {
      eachLeft = SAMPLE;
    }
    unitBytes = unitBytes == 0 ? ofUnit : unitBytes + (ofUnit - unitBytes) / 4;
    return bytes;
  }

  /// One for the object, and one for each thing that it is known to hold.
  private static int units(Object object) {
    int things =
        switch (object) {
          case Object[] array -> array.length;
          case Collection<?> collection -> collection.size();
          case Map<?, ?> map -> map.size();
          default -> object.getClass().isArray() ? Array.getLength(object) : 0;
        };
    return Math.max(things, things + 1);
  }

  /// Of one object, by marshalling it.
  public long marshalledBytes(T object) {
    return OBJECT_BYTES + (long) marshaller.toBytes(object).length;
  }

  /// Of an object of a plain class; -1 for any other.
  public static int plainBytes(Object object) {
    return switch (object) {
      case Long _ -> 24;
      case Integer _ -> OBJECT_BYTES;
      case String text -> STRING_BYTES + (isLatin(text) ? 1 : 2) * text.length();
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

  /// Whether each character takes a byte on the heap, and not two.
  private static boolean isLatin(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0xff) {
        return false;
      }
    }
    return true;
  }
}
