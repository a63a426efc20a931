package io.varve.internal.backup;

import io.varve.CorruptStoreException;
import io.varve.internal.file.Catalog;
import io.varve.internal.file.PageFile;
import io.varve.internal.page.MalformedImageException;
import io.varve.internal.page.PageImage;
import io.varve.spi.BackupTarget;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Reads the images of one backup file in their order, and checks each byte.
///
/// For one thread.
final class BackupReader {
  private final String where;
  private final BackupHeader header;
  private final ReadAhead file;
  private long position;

  BackupReader(BackupTarget target, String name, BackupHeader header) {
    this.where = target.describe(name);
    this.header = header;
    this.file = new ReadAhead(target, name);
    this.position = header.imagesBegin();
  }

  /// Takes an image of a backup.
  @FunctionalInterface
  interface ImageConsumer {
    void image(long extent, byte[] image) throws IOException;
  }

  /// Hands over every image.
  ///
  /// @throws CorruptStoreException if a byte is not as it was written
  void forEach(ImageConsumer consumer) throws IOException {
    byte[] record = new byte[ImageRecord.BYTES];
    for (long i = 0; i < header.imageCount(); i++) {
      Image next = next(record);
      consumer.image(next.extent, next.image);
    }
    if (position != header.imagesEnd()) {
      throw damaged("file is longer than its images");
    }
  }

  /// The catalog in the first image.
  Catalog catalog(PageFile store) throws IOException {
    position = header.imagesBegin();
    byte[] image = next(new byte[ImageRecord.BYTES]).image;
    try {
      return Catalog.decode(store.opened(image, header.catalogExtent()));
    } catch (MalformedImageException e) {
      throw damaged(String.valueOf(e.getMessage()));
    }
  }

  private record Image(long extent, byte[] image) {}

  private Image next(byte[] record) throws IOException {
    if (!read(record) || !ImageRecord.isValid(record, header.point())) {
      throw damaged("image record does not check");
    }
    ImageRecord next = ImageRecord.decode(record);
    int bytes = next.imageBytes();
    byte[] image = new byte[bytes <= header.imagesEnd() - position ? bytes : 0];
    if (!read(image) || !PageImage.isWhole(image, next.checksum())) {
      throw damaged("image does not check");
    }
    return new Image(next.extent(), image);
  }

  private boolean read(byte[] target) throws IOException {
    if (file.read(position, ByteBuffer.wrap(target)) != target.length) {
      return false;
    }
    position += target.length;
    return true;
  }

  private CorruptStoreException damaged(String what) {
    return new CorruptStoreException(
        "backup is damaged: "
            + what
            + ": file="
            + where
            + ", offset="
            + position
            + ", point="
            + header.number()
            + "; restore to a point before it, or from another copy of this file");
  }
}
