package io.varve.internal.file;

import io.varve.internal.page.Bytes;
import io.varve.internal.page.Extent;
import io.varve.internal.page.MalformedImageException;
import io.varve.internal.page.PageImage;
import io.varve.internal.page.PageImage.Kind;
import java.io.IOException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Finds the intact images in a page file by their own bytes, whatever leads to them. These are the
/// magic at a multiple of 512, a length that fits, and the checksum. Hands over those that make
/// sense, decrypted and decompressed. What is within an intact image is its content, and not looked
/// at.
public final class ImageScan {
  private static final int WINDOW_BYTES = 1 << 20;

  private ImageScan() {}

  /// Takes an intact image.
  @FunctionalInterface
  public interface Consumer {
    void image(Kind kind, long extent, byte[] image);
  }

  /// Reads an image that nothing refers to, if it is whole, of that kind, and makes sense.
  ///
  /// @return null if it is not
  public static byte @Nullable [] read(PageFile file, long extent, Kind kind) {
    byte[] stored = new byte[Extent.bytes(extent)];
    boolean whole =
        file.readInto(extent, stored) == stored.length
            && PageImage.isValid(stored, kind, Bytes.i32(stored, 4));
    byte[] image = whole ? file.openedIfOwn(stored, extent) : null;
    return image != null && isWellFormed(image, kind) ? image : null;
  }

  private static boolean isWellFormed(byte[] image, Kind kind) {
    try {
      switch (kind) {
        case LEAF -> PageImage.toLeaf(image);
        case INNER -> PageImage.toBranches(image, PageImage.level(image));
        case CATALOG -> Catalog.decode(image);
        case LARGE_CHUNK, LARGE_INDEX -> {}
      }
      return true;
    } catch (MalformedImageException _) {
      return false;
    }
  }

  /// Hands over every intact image, in the order of the file.
  ///
  /// @param position receives the progress of the scan, in bytes
  /// @return how many images were intact but could not be decrypted or decompressed, or are
  ///   encrypted in a store that is not
  public static long run(PageFile file, Consumer consumer, LongConsumer position)
      throws IOException {
    long units = file.size() / Extent.UNIT_BYTES + 1;
    byte[] window = new byte[WINDOW_BYTES];
    long windowUnit = 0;
    int windowBytes = 0;
    long unopened = 0;
    for (long unit = PageFile.FIRST_UNIT; unit < units; ) {
      int at = (int) (unit - windowUnit) * Extent.UNIT_BYTES;
      if (at + PageImage.HEADER_BYTES > windowBytes) {
        windowUnit = unit;
        windowBytes = file.readRaw(unit * Extent.UNIT_BYTES, window);
        at = 0;
        position.accept(unit * Extent.UNIT_BYTES);
        if (windowBytes < PageImage.HEADER_BYTES) {
          return unopened;
        }
      }
      int bytes = PageImage.claimedBytes(window, at);
      Kind kind = PageImage.claimedKind(window, at);
      if (bytes > 0 && kind != null && file.contains(Extent.of(unit, bytes))) {
        byte[] image = new byte[bytes];
        if (file.readRaw(unit * Extent.UNIT_BYTES, image) == bytes
            && PageImage.isWhole(image, Bytes.i32(image, 4))) {
          byte[] opened = file.openedIfOwn(image, Extent.of(unit, bytes));
          if (opened == null) {
            unopened++;
          } else if (isWellFormed(opened, kind)) {
            consumer.image(kind, Extent.of(unit, bytes), opened);
          }
          unit += Extent.unitsFor(bytes);
          continue;
        }
      }
      unit++;
    }
    return unopened;
  }
}
