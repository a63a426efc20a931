package io.varve.internal.page;

/// A run of bytes in the page file that holds one image, packed into a long: the first unit (35
/// bits, so files up to 16 TiB) and the length of the image in bytes (29 bits). Zero is no extent.
public final class Extent {
  /// The unit of allocation: the smallest write that a disk does not tear.
  public static final int UNIT_BYTES = 512;

  /// The longest image.
  public static final int BYTES_MAX = (1 << 29) - 1;

  private static final int LENGTH_BITS = 29;

  /// The units that a file can have: extents end at it, or before.
  public static final long UNITS_MAX = 1L << (Long.SIZE - LENGTH_BITS);

  private Extent() {}

  /// Packs an extent.
  ///
  /// @throws IllegalArgumentException if either number does not fit it: cut off, it would name the
  ///   image of another
  public static long of(long unit, int bytes) {
    if (unit < 0 || unit >= UNITS_MAX || bytes < 0 || bytes > BYTES_MAX) {
      throw new IllegalArgumentException(
          "extent out of range: unit="
              + unit
              + ", unitsMax="
              + UNITS_MAX
              + ", bytes="
              + bytes
              + ", bytesMax="
              + BYTES_MAX);
    }
    return unit << LENGTH_BITS | bytes;
  }

  public static long unit(long extent) {
    return extent >>> LENGTH_BITS;
  }

  /// The length of the image in bytes.
  public static int bytes(long extent) {
    return (int) extent & BYTES_MAX;
  }

  public static int units(long extent) {
    return unitsFor(bytes(extent));
  }

  /// The offset of the image in the page file.
  public static long offset(long extent) {
    return unit(extent) * UNIT_BYTES;
  }

  public static int unitsFor(int bytes) {
    return (bytes + UNIT_BYTES - 1) / UNIT_BYTES;
  }

  /// The extent for messages.
  public static String describe(long extent) {
    return "offset=" + offset(extent) + ", bytes=" + bytes(extent);
  }
}
