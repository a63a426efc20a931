package io.varve.internal.file;

import static io.varve.internal.page.Bytes.i32;
import static io.varve.internal.page.Bytes.i64;
import static io.varve.internal.page.Bytes.putI32;
import static io.varve.internal.page.Bytes.putI64;

import io.varve.StoreClosedException;
import io.varve.VarveException;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.page.Extent;
import io.varve.internal.page.LargeReference;
import io.varve.internal.page.MalformedImageException;
import io.varve.internal.page.PageImage;
import io.varve.internal.page.PageImage.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Values too large for a leaf, in extents of their own: chunks of up to
/// [LargeReference#CHUNK_BYTES], and an index of the chunks if there are several. The leaf holds a
/// [LargeReference].
///
/// The index's body is, per chunk, extent (8) and checksum (4).
///
/// Chunks may be compressed; the index never is.
///
/// Stateless except the file; safe for threads.
public final class LargeValues {
  private static final int INDEX_ENTRY_BYTES = 12;

  private final PageFile file;
  private final int space;
  private final LongSupplier epoch;

  /// Makes the access to the large values of one space.
  ///
  /// @param epoch gives the current one
  public LargeValues(PageFile file, int space, LongSupplier epoch) {
    this.file = file;
    this.space = space;
    this.epoch = epoch;
  }

  /// What the images of a value are written with capacity of.
  public interface Capacity {
    /// Takes what there is, and waits for nothing.
    Capacity AS_IT_IS =
        new Capacity() {
          @Override
          public long admit(long bytes) {
            return 0;
          }

          @Override
          public void ended(long admittedBytes) {}

          @Override
          public boolean free(long bytes, int attempts) {
            return false;
          }
        };

    /// Waits until an image may be written. Called without locks.
    ///
    /// @return what is to be given to [#ended]
    /// @throws io.varve.StoreFullException if there is no capacity for it
    long admit(long bytes);

    /// Notes that the image was written, or was not.
    void ended(long admittedBytes);

    /// Frees capacity for an image that met a full disk. Called without locks.
    ///
    /// @param attempts how often it has for this image
    /// @return whether it is worth another try
    boolean free(long bytes, int attempts);
  }

  /// Writes a value from a stream.
  ///
  /// @param capacity what it is written with; waits on the calling thread
  /// @param durably whether the bytes are on stable storage when this returns
  /// @return the reference
  /// @throws SourceException if the stream fails or ends early; the extents were freed
  /// @throws IOException if the file fails; the extents were freed
  public byte[] write(InputStream value, long length, Capacity capacity, boolean durably)
      throws IOException {
    Target target = new Target(capacity, durably);
    int chunks = chunkCount(length);
    byte[] index = new byte[PageImage.HEADER_BYTES + INDEX_ENTRY_BYTES * chunks];
    int written = 0;
    boolean done = false;
    try {
      byte[] image =
          new byte[PageImage.HEADER_BYTES + (int) Math.min(length, LargeReference.CHUNK_BYTES)];
      for (long rest = length; written < chunks; written++) {
        int bytes = (int) Math.min(rest, LargeReference.CHUNK_BYTES);
        fill(image, bytes, value, length, rest);
        rest -= bytes;
        int at = PageImage.HEADER_BYTES + INDEX_ENTRY_BYTES * written;
        target.write(image, PageImage.HEADER_BYTES + bytes, Kind.LARGE_CHUNK, index, at);
      }
      byte[] reference = LargeReference.forLength(length);
      if (chunks == 1) {
        System.arraycopy(
            index, PageImage.HEADER_BYTES, reference, LargeReference.EXTENT, INDEX_ENTRY_BYTES);
      } else {
        target.write(index, index.length, Kind.LARGE_INDEX, reference, LargeReference.EXTENT);
      }
      done = true;
      return reference;
    } finally {
      for (int i = 0; i < written && !done; i++) {
        file.extents().discard(i64(index, PageImage.HEADER_BYTES + INDEX_ENTRY_BYTES * i));
      }
    }
  }

  private static void fill(byte[] image, int bytes, InputStream value, long length, long rest)
      throws SourceException {
    try {
      int read = value.readNBytes(image, PageImage.HEADER_BYTES, bytes);
      if (read != bytes) {
        throw endedEarly(length, length - rest + read);
      }
    } catch (IOException e) {
      throw new SourceException(e);
    }
  }

  /// What to throw when the stream of a value ends before its length.
  public static IOException endedEarly(long promisedBytes, long readBytes) {
    return new EOFException(
        "value stream ended early: promisedBytes="
            + promisedBytes
            + ", readBytes="
            + readBytes
            + "; give the length that the stream has; nothing was put");
  }

  /// The stream that gives a value failed: no fault of the file.
  public static final class SourceException extends IOException {
    private static final long serialVersionUID = 1;

    private final IOException source;

    SourceException(IOException source) {
      super(source);
      this.source = source;
    }

    /// What the stream threw.
    public IOException cause() {
      return source;
    }
  }

  /// Where the images of one value go.
  private final class Target {
    private final Capacity capacity;

    /// Whether each image is on stable storage when it was written.
    private final boolean durably;

    Target(Capacity capacity, boolean durably) {
      this.capacity = capacity;
      this.durably = durably;
    }

    /// Writes an image, and notes it at an index of what refers to it.
    void write(byte[] clear, int clearBytes, Kind kind, byte[] referrer, int at)
        throws IOException {
      byte[] compressed = file.compressed(clear, clearBytes, kind);
      byte[] image = compressed == null ? clear : compressed;
      int bytes = compressed == null ? clearBytes : compressed.length;
      int storedBytes = file.storedBytes(bytes);
      for (int attempts = 0; ; attempts++) {
        long admitted = capacity.admit(storedBytes);
        try {
          writeStored(image, bytes, kind, referrer, at);
          return;
        } catch (DiskFullException e) {
          if (!capacity.free(storedBytes, attempts)) {
            throw e;
          }
        } finally {
          capacity.ended(admitted);
        }
      }
    }

    private void writeStored(byte[] image, int bytes, Kind kind, byte[] referrer, int at)
        throws IOException {
      int storedBytes = file.storedBytes(bytes);
      long extent = file.extents().allocate(storedBytes);
      byte[] stored;
      boolean done = false;
      try {
        // Asked for after the extent was taken: at the end of that epoch and of each later one in
        // which this image is found, the extent is its own. Incremental backups rely on that.
        PageImage.seal(image, bytes, kind, 0, space, epoch.getAsLong());
        stored = file.stored(image, bytes, extent);
        ByteBuffer source = ByteBuffer.wrap(stored, 0, storedBytes);
        if (durably) {
          file.writeSynchronously(extent, source);
        } else {
          file.write(extent, source);
        }
        done = true;
      } finally {
        if (!done) {
          file.extents().discard(extent);
        }
      }
      putI64(referrer, at, extent);
      putI32(referrer, at + 8, PageImage.storedChecksum(stored));
    }
  }

  private static int chunkCount(long length) {
    return Math.toIntExact(
        Math.max(1, (length + LargeReference.CHUNK_BYTES - 1) / LargeReference.CHUNK_BYTES));
  }

  /// Frees the extents of a value that no log record and no tree refers to. If its index cannot be
  /// read, the extents stay taken until the next open, and a warning reports it: what ends because
  /// of another failure ends with that.
  public void discard(byte[] reference) {
    LongList extents = new LongList();
    try {
      forEachExtent(file, reference, extents::add);
    } catch (StoreClosedException e) {
      return; // nothing will be written to them
    } catch (VarveException e) {
      System.getLogger(LargeValues.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "the index of a large value that was not committed cannot be read; the extents of"
                  + " the value stay taken until the store is opened again",
              e);
      return;
    }
    extents.forEach(file.extents()::discard);
  }

  /// Takes the extents of a value that the log names, on opening.
  ///
  /// @throws io.varve.CorruptStoreException if they cannot have been given out
  public static void reserve(PageFile file, byte[] reference) {
    forEachExtent(file, reference, file.extents()::reserve);
  }

  private static void requireThat(boolean holds, PageFile file, long extent, String what) {
    if (!holds) {
      throw file.malformed(extent, new MalformedImageException(what));
    }
  }

  /// Reads the index of a value of several chunks.
  private static byte[] readIndex(PageFile file, byte[] reference) {
    long extent = LargeReference.extent(reference);
    byte[] index = file.read(extent, Kind.LARGE_INDEX, LargeReference.checksum(reference));
    long chunks =
        (LargeReference.length(reference) + LargeReference.CHUNK_BYTES - 1)
            / LargeReference.CHUNK_BYTES;
    boolean fits = index.length == PageImage.HEADER_BYTES + INDEX_ENTRY_BYTES * chunks;
    requireThat(fits, file, extent, "index of a value of another length");
    return index;
  }

  private static byte[] readChunk(PageFile file, long extent, int checksum, long bytes) {
    byte[] chunk = file.read(extent, Kind.LARGE_CHUNK, checksum);
    boolean fits = chunk.length == PageImage.HEADER_BYTES + bytes;
    requireThat(fits, file, extent, "chunk of a value of another length");
    return chunk;
  }

  /// Names every extent of a value. Reads the index if there is one.
  ///
  /// @throws io.varve.CorruptStoreException if they cannot have been given out
  public static void forEachExtent(PageFile file, byte[] reference, LongConsumer consumer) {
    LongConsumer within =
        extent -> {
          file.requireWithin(extent);
          consumer.accept(extent);
        };
    if (LargeReference.kind(reference) == Kind.LARGE_INDEX) {
      byte[] index = readIndex(file, reference);
      for (int at = PageImage.HEADER_BYTES; at < index.length; at += INDEX_ENTRY_BYTES) {
        within.accept(i64(index, at));
      }
    }
    within.accept(LargeReference.extent(reference));
  }

  /// Takes the images that a large value consists of.
  @FunctionalInterface
  public interface ImageConsumer {
    void image(PageImage.Kind kind, long extent, int checksum) throws IOException;
  }

  /// Where an image is.
  record Place(long extent, int checksum) {}

  /// Where the image is that was in another extent.
  @FunctionalInterface
  interface Places {
    /// Names the new extent of an image.
    ///
    /// @param checksum of the image in the extent where it was
    Place of(long extent, int checksum);
  }

  /// Makes the image of an index name its chunks in other extents.
  static void rename(byte[] index, Places places) {
    for (int at = PageImage.HEADER_BYTES; at < index.length; at += INDEX_ENTRY_BYTES) {
      Place place = places.of(i64(index, at), i32(index, at + 8));
      putI64(index, at, place.extent());
      putI32(index, at + 8, place.checksum());
    }
    PageImage.seal(
        index, index.length, Kind.LARGE_INDEX, 0, PageImage.space(index), PageImage.epoch(index));
  }

  /// Names every image of a value, the index first. Reads the index if there is one.
  public static void forEachImage(PageFile file, byte[] reference, ImageConsumer consumer)
      throws IOException {
    long extent = LargeReference.extent(reference);
    Kind kind = LargeReference.kind(reference);
    consumer.image(kind, extent, LargeReference.checksum(reference));
    if (kind == Kind.LARGE_INDEX) {
      byte[] index = readIndex(file, reference);
      for (int at = PageImage.HEADER_BYTES; at < index.length; at += INDEX_ENTRY_BYTES) {
        consumer.image(Kind.LARGE_CHUNK, i64(index, at), i32(index, at + 8));
      }
    }
  }

  /// Reads a whole value.
  public static byte[] read(PageFile file, byte[] reference) {
    Reader reader = new Reader(file, reference);
    reader.begin(); // before memory of the length in the reference is taken
    byte[] value = new byte[Math.toIntExact(LargeReference.length(reference))];
    int at = 0;
    while (at < value.length) {
      at += reader.read(value, at, value.length - at);
    }
    return value;
  }

  /// Reads a value through, so that every checksum is checked.
  public static void verify(PageFile file, byte[] reference) {
    Reader reader = new Reader(file, reference);
    for (long chunk = chunkCount(LargeReference.length(reference)); chunk > 0; chunk--) {
      reader.readChunk((int) chunk - 1);
    }
  }

  /// A stream over a value, which holds one chunk at a time.
  public static InputStream open(PageFile file, byte[] reference) {
    return new Reader(file, reference);
  }

  private static final class Reader extends InputStream {
    private final PageFile file;
    private final byte[] reference;
    private final long length;
    private byte @Nullable [] index;
    private byte @Nullable [] chunk;
    private long position;

    Reader(PageFile file, byte[] reference) {
      this.file = file;
      this.reference = reference;
      this.length = LargeReference.length(reference);
    }

    /// Reads the first chunk, and so finds out whether there is such a value.
    void begin() {
      chunk = readChunk(0);
      byte[] chunks = index;
      if (chunks != null) {
        long stored = 0;
        for (int at = PageImage.HEADER_BYTES; at < chunks.length; at += INDEX_ENTRY_BYTES) {
          stored += (long) Extent.units(i64(chunks, at)) * Extent.UNIT_BYTES;
        }
        boolean fits = length <= Integer.MAX_VALUE && stored <= file.measure() + Extent.UNIT_BYTES;
        requireThat(fits, file, LargeReference.extent(reference), "value longer than its file");
      }
    }

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int count) {
      if (count == 0) {
        return 0;
      }
      if (position == length) {
        return -1;
      }
      int inChunk = (int) (position % LargeReference.CHUNK_BYTES);
      if (chunk == null || (inChunk == 0 && position != 0)) {
        chunk = readChunk((int) (position / LargeReference.CHUNK_BYTES));
      }
      int bytes = Math.min(count, chunk.length - PageImage.HEADER_BYTES - inChunk);
      System.arraycopy(chunk, PageImage.HEADER_BYTES + inChunk, target, offset, bytes);
      position += bytes;
      return bytes;
    }

    private byte[] readChunk(int number) {
      if (length <= LargeReference.CHUNK_BYTES) {
        return LargeValues.readChunk(
            file, LargeReference.extent(reference), LargeReference.checksum(reference), length);
      }
      byte[] chunks = index;
      if (chunks == null) {
        chunks = readIndex(file, reference);
        index = chunks;
      }
      int at = PageImage.HEADER_BYTES + INDEX_ENTRY_BYTES * number;
      long bytes =
          Math.min(LargeReference.CHUNK_BYTES, length - (long) number * LargeReference.CHUNK_BYTES);
      return LargeValues.readChunk(file, i64(chunks, at), i32(chunks, at + 8), bytes);
    }

    @Override
    public int available() {
      return (int) Math.min(Integer.MAX_VALUE, length - position);
    }
  }
}
