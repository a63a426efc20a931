package io.varve.internal.backup;

import io.varve.ProgressListener;
import io.varve.internal.checkpoint.HeldCheckpoint;
import io.varve.internal.file.Catalog;
import io.varve.internal.file.Catalog.SpaceRoot;
import io.varve.internal.file.ExtentSet;
import io.varve.internal.file.LargeValues;
import io.varve.internal.file.PageFile;
import io.varve.internal.file.Superblock;
import io.varve.internal.page.Branches;
import io.varve.internal.page.LargeReference;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.MalformedImageException;
import io.varve.internal.page.Node;
import io.varve.internal.page.PageImage;
import io.varve.internal.page.PageImage.Kind;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Copies the images that a checkpoint reaches into a backup file; of an incremental backup, those
/// that its base lacks.
///
/// - (B1) The base has an image exactly if it was made in the base's epoch or before, and its
///   extent was live in the base: then the extent has been that image's ever since it was made, so
///   what was live there was that image. A checkpoint that a damaged superblock took back makes no
///   difference: what only its branch of history holds is not live in the other.
/// - (B2) What the base has of a page, it has of all below: pages that were written never change.
/// - (B3) The base is of the store's own history ([TakenPoints]). A copy of the store that was
///   opened has the same id, and uses the same epochs and extents for other images.
///
/// Images are read past the cache, one at a time, and copied as they are stored: a backup of an
/// encrypted store is encrypted as the store is, one of a compressed store compressed. For one
/// thread.
public final class CheckpointCopy {
  private final PageFile file;
  private final BackupWriter writer;
  private final ProgressListener listener;
  private final long totalBytes;

  /// What the base has; null for a full backup.
  private final @Nullable Base base;

  private record Base(long epoch, ExtentSet live) {
    boolean has(long extent, byte[] header) {
      return PageImage.epoch(header) <= epoch && live.contains(extent);
    }
  }

  private CheckpointCopy(
      PageFile file,
      BackupWriter writer,
      @Nullable Base base,
      long totalBytes,
      ProgressListener listener) {
    this.file = file;
    this.writer = writer;
    this.base = base;
    this.totalBytes = totalBytes;
    this.listener = listener;
  }

  /// Takes a point of a checkpoint into a set of backups.
  ///
  /// @param point as the set began it
  /// @param keys a copy of the store's, or null if it is not encrypted
  public static BackupHeader copy(
      PageFile file,
      HeldCheckpoint checkpoint,
      BackupSet set,
      BackupSet.NewPoint point,
      long timeMillis,
      byte @Nullable [] keys,
      ProgressListener listener)
      throws IOException {
    Superblock superblock = checkpoint.superblock();
    BackupHeader basePoint = point.base();
    Catalog catalog = Catalog.read(file, superblock.catalogExtent(), superblock.catalogChecksum());
    Base base =
        basePoint == null
            ? null
            : new Base(
                basePoint.epoch(), ExtentSet.ofRuns(set.catalog(basePoint, file).liveRuns()));
    long total = base == null ? ExtentSet.ofRuns(catalog.liveRuns()).bytes() : -1;
    try (BackupWriter writer = set.write(point)) {
      CheckpointCopy copy = new CheckpointCopy(file, writer, base, total, listener);
      // First, so that a backup that continues from this point finds what it held without reading
      // it all.
      copy.add(superblock.catalogExtent(), Kind.CATALOG, superblock.catalogChecksum());
      for (SpaceRoot root : catalog.spaces()) {
        copy.copyTree(root.level(), root.extent(), root.checksum());
      }
      BackupHeader header =
          new BackupHeader(
              superblock.pageBytes(),
              point.store(),
              point.id(),
              basePoint == null ? null : basePoint.point(),
              point.number(),
              basePoint == null ? 0 : basePoint.number(),
              timeMillis,
              superblock.epoch(),
              checkpoint.lsn(),
              superblock.cut(),
              superblock.catalogExtent(),
              superblock.catalogChecksum(),
              superblock.generation(),
              writer.imageCount(),
              writer.bytes(),
              checkpoint.logFromLsn(),
              /* isLast= */ true,
              file.codecs(),
              keys);
      writer.finish(header);
      return header;
    }
  }

  private void copyTree(int level, long extent, int checksum) throws IOException {
    Kind kind = level == 0 ? Kind.LEAF : Kind.INNER;
    byte[] stored = file.readStored(extent, kind, checksum);
    if (base != null && base.has(extent, stored)) {
      return; // (B2)
    }
    add(extent, stored);
    byte[] image = file.opened(stored, extent);
    Branches branches;
    try {
      if (level == 0) {
        copyLargeValues(PageImage.toLeaf(image));
        return;
      }
      branches = PageImage.toBranches(image, level);
    } catch (MalformedImageException e) {
      throw file.malformed(extent, e);
    }
    for (int i = 0; i < branches.count(); i++) {
      Node child = branches.child(i);
      copyTree(child.level(), child.extent(), child.checksum());
    }
  }

  private void copyLargeValues(byte[] page) throws IOException {
    if (!LeafPage.hasLarge(page)) {
      return;
    }
    for (int i = 0; i < LeafPage.count(page); i++) {
      if (LeafPage.isLarge(page, i)) {
        copyLargeValue(LeafPage.value(page, i));
      }
    }
  }

  private void copyLargeValue(byte[] reference) throws IOException {
    long extent = LargeReference.extent(reference);
    byte[] header =
        file.readHeader(extent, LargeReference.kind(reference), LargeReference.checksum(reference));
    if (base == null || !base.has(extent, header)) {
      LargeValues.forEachImage(
          file, reference, (kind, part, checksum) -> add(part, kind, checksum));
    }
  }

  private void add(long extent, Kind kind, int checksum) throws IOException {
    add(extent, file.readStored(extent, kind, checksum));
  }

  private void add(long extent, byte[] image) throws IOException {
    writer.add(extent, image);
    listener.progress(writer.bytes(), totalBytes);
  }
}
