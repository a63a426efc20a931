package io.varve.internal.page;

import io.varve.CorruptStoreException;
import io.varve.internal.page.PageImage.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/// Images of large values that a kept log holds, given new places in the page file that it is
/// replayed into: what their old places are used for there nobody knows. For one thread.
public final class KeptImages {
  private final PageFile file;

  /// New places by old ones, of images whose value no commit has named yet.
  private final Map<Long, Long> places = new HashMap<>();

  /// Makes the places for a page file.
  public KeptImages(PageFile file) {
    this.file = file;
  }

  /// Takes a piece of an image. Pieces come in order.
  ///
  /// @param extent the old place of the image
  /// @throws CorruptStoreException if it is none of that image
  public void piece(long extent, int offset, byte[] bytes) throws IOException {
    if (offset < 0
        || offset % Extent.UNIT_BYTES != 0
        || offset > Extent.bytes(extent) - bytes.length) {
      throw new CorruptStoreException(
          "the kept log holds a piece of a large value that makes no sense: "
              + Extent.describe(extent)
              + ", at="
              + offset
              + ", length="
              + bytes.length
              + "; restore to a point, or to a commit before");
    }
    if (offset == 0) {
      Long abandoned = places.put(extent, file.extents().allocate(Extent.bytes(extent)));
      if (abandoned != null) {
        file.extents().giveBack(abandoned);
      }
    }
    Long place = places.get(extent);
    if (place != null) { // otherwise its beginning lies before what is replayed
      long unit = Extent.unit(place) + offset / Extent.UNIT_BYTES;
      file.write(Extent.of(unit, bytes.length), ByteBuffer.wrap(bytes));
    }
  }

  /// The reference to a value in its new place.
  ///
  /// @throws CorruptStoreException if the log did not hold it
  public byte[] place(byte[] reference) throws IOException {
    byte[] placed = reference.clone();
    long first = place(LargeValues.firstExtent(reference));
    int checksum = LargeValues.firstChecksum(reference);
    if (LargeValues.firstKind(reference) == Kind.LARGE_INDEX) {
      byte[] index = file.read(first, Kind.LARGE_INDEX, checksum);
      checksum = LargeValues.rename(index, this::place);
      file.write(first, ByteBuffer.wrap(index));
    }
    LargeValues.rename(placed, first, checksum);
    return placed;
  }

  private long place(long extent) {
    Long place = places.remove(extent);
    if (place == null) {
      throw new CorruptStoreException(
          "the kept log lacks a large value that it names: "
              + Extent.describe(extent)
              + "; restore to a point, or to a commit before");
    }
    return place;
  }

  /// Gives back the places of values that no commit named.
  public void giveBackUnused() {
    places.values().forEach(file.extents()::giveBack);
    places.clear();
  }
}
