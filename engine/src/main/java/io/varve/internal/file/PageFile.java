package io.varve.internal.file;

import io.varve.CorruptStoreException;
import io.varve.StoreClosedException;
import io.varve.StoreIoException;
import io.varve.UnsupportedFormatException;
import io.varve.internal.compress.CodecTable;
import io.varve.internal.crypto.DataKey;
import io.varve.internal.disk.ClosingSteps;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileClosedException;
import io.varve.internal.disk.FileOption;
import io.varve.internal.event.Events;
import io.varve.internal.event.PageLoadEvent;
import io.varve.internal.lock.StoreLocks;
import io.varve.internal.page.Extent;
import io.varve.internal.page.MalformedImageException;
import io.varve.internal.page.PageImage;
import io.varve.spi.PageCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The file of pages: superblocks at its start, extents after them. Nothing that a superblock can
/// lead to is ever overwritten in place.
///
/// Safe for threads: reads and writes are positional.
public final class PageFile implements AutoCloseable {
  /// The name in the store's directory.
  public static final String NAME = "pages";

  /// The bytes from one slot for a superblock to the other, from the start of the file: far enough
  /// apart that no disk tears both.
  static final int SUPERBLOCK_SPACING = 16384;

  /// The first unit that may hold an extent; the superblocks are before it.
  public static final long FIRST_UNIT = 2L * SUPERBLOCK_SPACING / Extent.UNIT_BYTES;

  /// Images up to this size are read without a look at the length of the file. A damaged reference
  /// to a longer one must not take memory of the length that it names.
  private static final int CHECKED_BYTES_MAX = 1 << 16;

  private final String where;
  private final DiskFile file;
  private final DiskFile synchronousFile;

  /// Null if the store is not encrypted.
  private final @Nullable PageCipher cipher;

  private final PageCompressor compressor;
  private final StoreLocks locks = new StoreLocks();
  private final Extents extents = new Extents(locks, FIRST_UNIT);
  private final LongAdder bytesRead = new LongAdder();
  private final LongAdder bytesWritten = new LongAdder();

  /// Is notified of damage.
  private final Consumer<CorruptStoreException> onDamage;

  private PageFile(
      String where,
      DiskFile file,
      DiskFile synchronousFile,
      @Nullable DataKey dataKey,
      @Nullable PageCodec codec,
      Consumer<CorruptStoreException> onDamage) {
    this.where = where;
    this.onDamage = onDamage;
    this.file = file;
    this.synchronousFile = synchronousFile;
    this.cipher = dataKey == null ? null : new PageCipher(dataKey);
    this.compressor = new PageCompressor(where, codec);
  }

  /// Opens the page file of a store that is not encrypted, or creates it empty. New images are not
  /// compressed.
  public static PageFile open(Disk disk, String name) throws IOException {
    return open(disk, name, null, null);
  }

  /// Opens the page file, or creates it empty.
  ///
  /// @param dataKey that its images are encrypted with, or null if they are not
  /// @param codec that new images are compressed with, or null if they are not; those that are
  ///   there may be compressed by any other
  public static PageFile open(
      Disk disk, String name, @Nullable DataKey dataKey, @Nullable PageCodec codec)
      throws IOException {
    return open(disk, name, dataKey, codec, _ -> {});
  }

  /// Opens the page file of a store that fails with damage, or creates it empty.
  ///
  /// @param dataKey that its images are encrypted with, or null if they are not
  /// @param codec that new images are compressed with, or null if they are not
  /// @param onDamage is given what [#damaged] reports
  public static PageFile open(
      Disk disk,
      String name,
      @Nullable DataKey dataKey,
      @Nullable PageCodec codec,
      Consumer<CorruptStoreException> onDamage)
      throws IOException {
    DiskFile file = disk.open(name, FileOption.CREATE);
    try {
      DiskFile synchronousFile = disk.open(name, FileOption.DSYNC);
      return new PageFile(disk.describe(name), file, synchronousFile, dataKey, codec, onDamage);
    } catch (Throwable e) {
      new ClosingSteps(e).take(file::close);
      throw e;
    }
  }

  /// Opens the page file of a store that is not to be changed; every write fails.
  ///
  /// @param dataKey that its images are encrypted with, or null if they are not
  public static PageFile openReadOnly(Disk disk, String name, @Nullable DataKey dataKey)
      throws IOException {
    DiskFile file = disk.open(name, FileOption.READ_ONLY);
    return new PageFile(disk.describe(name), file, file, dataKey, null, _ -> {});
  }

  /// The locks of the store.
  public StoreLocks locks() {
    return locks;
  }

  public Extents extents() {
    return extents;
  }

  /// Where the file is, for messages.
  public String where() {
    return where;
  }

  /// Whether images are encrypted.
  boolean isEncrypted() {
    return cipher != null;
  }

  /// The codecs that its images need.
  public CodecTable codecs() {
    return compressor.table();
  }

  /// Takes note of codecs that images need which are in the file, or will be put there as they are.
  ///
  /// @throws UnsupportedFormatException if one of them is missing
  public void needCodecs(CodecTable codecs) {
    compressor.name(codecs);
  }

  /// Takes note of the codec of an image that is put into the file as it is.
  ///
  /// @throws UnsupportedFormatException if it is missing
  void needCodecOf(byte[] image) {
    compressor.nameThatOf(image);
  }

  /// The image to store for the one in the first `bytes` bytes of an array, if compression makes it
  /// shorter. Comes before [#storedBytes] and [#stored].
  ///
  /// @return null if it does not
  public byte @Nullable [] compressed(byte[] image, int bytes, PageImage.Kind kind) {
    return compressor.compress(image, bytes, kind, storedBytes(0));
  }

  /// How many bytes an image takes on disk, compressed or not.
  public int storedBytes(int imageBytes) {
    return cipher == null ? imageBytes : imageBytes + PageCipher.OVERHEAD_BYTES;
  }

  /// What is to be written at an extent for the image in the first `bytes` bytes of an array: the
  /// same array, unless the store is encrypted.
  public byte[] stored(byte[] image, int bytes, long extent) {
    PageCipher present = cipher;
    return present == null ? image : present.seal(image, bytes, extent);
  }

  /// Reports an image that is not what its referrer holds, although its extent was not given to
  /// another: the store fails (D4).
  ///
  /// @return the same, to be thrown
  public CorruptStoreException damaged(CorruptStoreException mismatch) {
    onDamage.accept(mismatch);
    return mismatch;
  }

  /// Reads an image, checks it against what its referrer holds, decrypts and decompresses it. A
  /// caller that nothing protected from the reuse of the extent finds out whether a mismatch is
  /// damage, and then reports it by [#damaged].
  ///
  /// @throws CorruptStoreException if it is not the image meant
  public byte[] read(long extent, PageImage.Kind kind, int checksum) {
    PageLoadEvent event = Events.pageLoad();
    byte[] image = opened(readStored(extent, kind, checksum), extent);
    if (event != null) {
      event.loaded(where, kind.name(), Extent.offset(extent), Extent.bytes(extent));
    }
    return image;
  }

  /// Reads an image as by [#read], but as it is stored.
  public byte[] readStored(long extent, PageImage.Kind kind, int checksum) {
    if (Extent.bytes(extent) > CHECKED_BYTES_MAX) {
      requireWithin(extent);
    }
    byte[] image = new byte[Extent.bytes(extent)];
    int read = readInto(extent, image);
    if (read != image.length || !PageImage.isValid(image, kind, checksum)) {
      int found = PageImage.checksum(image, image.length);
      throw mismatch(extent, kind, checksum, read, "0x" + Integer.toHexString(found));
    }
    return image;
  }

  /// Reads an image as by [#read], but as it was before it was encrypted: compressed, if it is.
  public byte[] readCompressed(long extent, PageImage.Kind kind, int checksum) {
    return decrypted(readStored(extent, kind, checksum), extent);
  }

  /// The image that is stored at an extent, whose checksum is right: decrypted, if the store is
  /// encrypted, and decompressed; or the same array if it is neither.
  ///
  /// @throws CorruptStoreException if it is not what was encrypted or compressed
  public byte[] opened(byte[] stored, long extent) {
    byte[] image = decrypted(stored, extent);
    try {
      return decompressed(image);
    } catch (MalformedImageException e) {
      throw malformed(extent, e);
    }
  }

  /// @throws MalformedImageException if it is not what was compressed
  private byte[] decompressed(byte[] image) {
    if (!PageImage.isCompressed(image)) {
      return image;
    }
    PageImage.Kind kind = PageImage.claimedKind(image, 0);
    MalformedImageException.require(kind != null, "page of no kind");
    return compressor.decompress(image, Objects.requireNonNull(kind));
  }

  private byte[] decrypted(byte[] stored, long extent) {
    PageCipher present = cipher;
    byte[] image =
        present != null ? present.open(stored, extent) : PageImage.isClear(stored) ? stored : null;
    if (image == null) {
      throw new CorruptStoreException(
          "page is not what was encrypted: file="
              + where
              + ", "
              + Extent.describe(extent)
              + "; it was changed or put there by others: restore this store from a backup");
    }
    return image;
  }

  /// Reads the header of an image alone, and checks of it what its referrer holds.
  ///
  /// @return the header
  /// @throws CorruptStoreException if it is not that of the image meant
  public byte[] readHeader(long extent, PageImage.Kind kind, int checksum) {
    byte[] header = new byte[PageImage.HEADER_BYTES];
    int read = readInto(extent, header);
    if (read != header.length
        || !PageImage.isHeader(header, kind, checksum, Extent.bytes(extent))) {
      throw mismatch(extent, kind, checksum, read, "none, since the header alone was read");
    }
    return header;
  }

  /// Reads bytes whatever they are.
  ///
  /// @return how many there were
  int readRaw(long position, byte[] target) throws IOException {
    return file.read(position, ByteBuffer.wrap(target));
  }

  /// Reads the bytes of an extent, whatever they are.
  ///
  /// @return how many there were
  int readInto(long extent, byte[] target) {
    try {
      int read = file.read(Extent.offset(extent), ByteBuffer.wrap(target));
      bytesRead.add(Math.max(0, read));
      return read;
    } catch (FileClosedException e) {
      throw new StoreClosedException("the store was closed while it was read; open it again", e);
    } catch (IOException e) {
      throw new StoreIoException(
          "page read failed: file=" + where + ", " + Extent.describe(extent), e);
    }
  }

  private CorruptStoreException mismatch(
      long extent, PageImage.Kind kind, int checksum, int read, String computed) {
    return new CorruptStoreException(
        "page checksum mismatch: file="
            + where
            + ", "
            + Extent.describe(extent)
            + ", kind="
            + kind
            + ", expected=0x"
            + Integer.toHexString(checksum)
            + ", computed="
            + computed
            + ", read="
            + read
            + "; restore this store from a backup");
  }

  /// Checks that the file is long enough to hold an extent that a reference names.
  ///
  /// @throws CorruptStoreException if it is not
  void requireWithin(long extent) {
    requireWithin(Extent.unit(extent), Extent.units(extent));
  }

  /// Checks that units which a catalog names are ones that can have been given out.
  ///
  /// @throws CorruptStoreException if they are not
  void requireWithin(long unit, long units) {
    if (!contains(unit, units)) {
      throw new CorruptStoreException(
          "reference beyond the file: file="
              + where
              + ", offset="
              + unit * Extent.UNIT_BYTES
              + ", units="
              + units
              + ", fileBytes="
              + measure()
              + "; restore this store from a backup");
    }
  }

  /// Whether an extent is where the file has bytes, and extents may be.
  public boolean contains(long extent) {
    return contains(Extent.unit(extent), Extent.units(extent));
  }

  private boolean contains(long unit, long units) {
    // The last image of the file need not fill its last unit.
    long end = (measure() + Extent.UNIT_BYTES - 1) / Extent.UNIT_BYTES;
    return unit >= FIRST_UNIT && units > 0 && unit <= end && units <= end - unit;
  }

  /// The length of the file, while a reference is looked at.
  long measure() {
    try {
      return size();
    } catch (FileClosedException e) {
      throw new StoreClosedException("the store was closed while it was read; open it again", e);
    } catch (IOException e) {
      throw new StoreIoException("page file cannot be read: file=" + where, e);
    }
  }

  /// The damage that an image is which makes no sense although its checksum is right.
  public CorruptStoreException malformed(long extent, MalformedImageException e) {
    return new CorruptStoreException(
        "page makes no sense though its checksum is right: file="
            + where
            + ", "
            + Extent.describe(extent)
            + ", fact="
            + e.getMessage()
            + "; restore this store from a backup",
        e);
  }

  /// The image that is stored at an extent, though nothing refers to it.
  ///
  /// @return null if this store did not store it: encrypted where the store is not, or the other
  ///   way round, or not what was encrypted or compressed; or if its codec is missing
  byte @Nullable [] openedIfOwn(byte[] stored, long extent) {
    try {
      return opened(stored, extent);
    } catch (CorruptStoreException | UnsupportedFormatException _) {
      return null;
    }
  }

  /// Writes bytes at the start of an extent; a later [#force()] makes them durable.
  public void write(long extent, ByteBuffer bytes) throws IOException {
    bytesWritten.add(bytes.remaining());
    file.write(Extent.offset(extent), bytes);
  }

  /// Writes bytes at the start of an extent; they are durable when this returns.
  public void writeSynchronously(long extent, ByteBuffer bytes) throws IOException {
    bytesWritten.add(bytes.remaining());
    synchronousFile.write(Extent.offset(extent), bytes);
  }

  /// Writes bytes before [#FIRST_UNIT]; they are durable when this returns.
  void writeRaw(long position, byte[] bytes) throws IOException {
    synchronousFile.write(position, ByteBuffer.wrap(bytes));
  }

  /// Writes bytes into the slot for a superblock of that parity; they are durable when this
  /// returns.
  void writeSuperblock(int slot, byte[] bytes) throws IOException {
    bytesWritten.add(bytes.length);
    writeRaw((long) slot * SUPERBLOCK_SPACING, bytes);
  }

  /// Bytes of extents read since this was opened.
  public long bytesRead() {
    return bytesRead.sum();
  }

  /// Bytes of extents and superblocks written since this was opened, those of writes that failed
  /// included.
  public long bytesWritten() {
    return bytesWritten.sum();
  }

  /// Makes all that was written durable.
  public void force() throws IOException {
    file.force();
  }

  public long size() throws IOException {
    return file.size();
  }

  public void truncate(long bytes) throws IOException {
    file.truncate(bytes);
  }

  @Override
  public void close() throws IOException {
    try (synchronousFile) {
      file.close();
    }
  }
}
