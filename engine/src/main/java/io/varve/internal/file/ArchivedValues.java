package io.varve.internal.file;

import io.varve.CorruptStoreException;
import io.varve.internal.file.LargeValues.Place;
import io.varve.internal.page.Extent;
import io.varve.internal.page.LargeReference;
import io.varve.internal.page.PageImage;
import io.varve.internal.page.PageImage.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/// Images of large values that an archived log holds, given new extents in the page file that it is
/// replayed into: what their old extents are used for there nobody knows. For one thread.
public final class ArchivedValues {
  private final PageFile file;

  /// Images of which a part was taken, by their old extents.
  private final Map<Long, byte[]> begun = new HashMap<>();

  /// New extents by old ones, of images whose value no commit has named yet.
  private final Map<Long, Moved> places = new HashMap<>();

  /// @param oldChecksum of the image in its old extent, which differs if it is encrypted
  private record Moved(int oldChecksum, Place place) {}

  /// Makes the extents for a page file.
  public ArchivedValues(PageFile file) {
    this.file = file;
  }

  /// Takes a piece of an image. Pieces come in order. An image is written when it is whole: it is
  /// encrypted as a whole.
  ///
  /// @param extent the old extent of the image
  /// @throws CorruptStoreException if it is none of that image
  public void piece(long extent, int offset, byte[] bytes) throws IOException {
    int length = Extent.bytes(extent) - file.storedBytes(0);
    if (offset < 0 || offset > length - bytes.length) {
      throw new CorruptStoreException(
          "the archived log holds a piece of a large value that makes no sense: "
              + Extent.describe(extent)
              + ", at="
              + offset
              + ", length="
              + bytes.length
              + "; restore to a point, or to a commit before");
    }
    if (offset == 0) {
      Moved abandoned = places.remove(extent);
      if (abandoned != null) {
        file.extents().discard(abandoned.place.extent());
      }
      begun.put(extent, new byte[length]);
    }
    byte[] image = begun.get(extent);
    if (image == null) {
      return; // its beginning is before what is replayed
    }
    System.arraycopy(bytes, 0, image, offset, bytes.length);
    if (offset + bytes.length == length) {
      begun.remove(extent);
      long place = file.extents().allocate(Extent.bytes(extent));
      int oldChecksum = PageImage.storedChecksum(image);
      places.put(extent, new Moved(oldChecksum, write(place, image)));
    }
  }

  private Place write(long place, byte[] image) throws IOException {
    file.needCodecOf(image);
    byte[] stored = file.stored(image, image.length, place);
    file.write(place, ByteBuffer.wrap(stored));
    return new Place(place, PageImage.storedChecksum(stored));
  }

  /// The reference to a value in its new extent.
  ///
  /// @throws CorruptStoreException if the log did not hold it
  public byte[] place(byte[] reference) throws IOException {
    byte[] placed = reference.clone();
    Place first = place(LargeReference.extent(reference), LargeReference.checksum(reference));
    if (LargeReference.kind(reference) == Kind.LARGE_INDEX) {
      byte[] index = file.read(first.extent(), Kind.LARGE_INDEX, first.checksum());
      LargeValues.rename(index, this::place);
      first = write(first.extent(), index);
    }
    LargeReference.rename(placed, first.extent(), first.checksum());
    return placed;
  }

  private Place place(long extent, int checksum) {
    Moved moved = places.remove(extent);
    if (moved == null || moved.oldChecksum != checksum) {
      throw new CorruptStoreException(
          "the archived log lacks a large value that it names: "
              + Extent.describe(extent)
              + "; restore to a point, or to a commit before");
    }
    return moved.place;
  }

  /// Frees the extents of values that no commit named.
  public void discardUnused() {
    places.values().forEach(moved -> file.extents().discard(moved.place.extent()));
    places.clear();
    begun.clear();
  }
}
