package io.varve.internal.checkpoint;

import io.varve.internal.cache.Pages;
import io.varve.internal.file.PageFile;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Extent;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import io.varve.internal.page.PageImage;
import io.varve.internal.page.PageImage.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Writes the dirty nodes of a tree that no longer changes. Children come before parents, so that
/// each parent holds the extents and checksums of its children. Images that are one after the other
/// are written in one piece.
///
/// A node is placed when its image is gathered. If the disk is full then, what has gathered stays
/// here, pages in memory and extents taken, and the next checkpoint writes it first: so one writer
/// serves a store for all its life.
///
/// For one thread at a time. Nothing written is durable before the file is forced.
public final class CheckpointWriter {
  /// Large enough that the cost of a write call is small, small enough to pace commits by.
  private static final int BUFFER_BYTES = 1 << 18;

  private static final byte[] PADDING = new byte[Extent.UNIT_BYTES];

  private final Pages pages;
  private final PageFile file;
  private final Pace pace;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private long bufferExtent;
  private long nextUnit = -1;
  private long bytesWritten;

  /// Nodes whose images may still be in the buffer alone, so that their pages must stay in memory.
  private final List<Node> gathered = new ArrayList<>();

  /// What those count for among the dirty bytes until they are written.
  private long gatheredDirtyBytes;

  /// How pages are written concurrently with commits, which need the same device.
  public interface Pace {
    /// Whether to write to the device immediately, a piece at a time. Otherwise the system writes
    /// all of it at some time, at the latest when the file is forced: no commit that is to be
    /// durable gets through then.
    boolean isEven();

    /// Whether there may be no capacity for all that is to be written. Then each image is written
    /// before its node is placed, so that one that finds no capacity is free to go elsewhere later.
    boolean isTight();

    /// Notes the bytes of a write, and may wait.
    void wrote(long bytes);
  }

  /// Makes a writer.
  public CheckpointWriter(Pages pages, PageFile file, Pace pace) {
    this.pages = pages;
    this.file = file;
    this.pace = pace;
  }

  /// Writes what is dirty at and below the root.
  ///
  /// @return the entries below it
  public long write(Node root, int space) throws IOException {
    return root.isClean() ? root.entryCount() : writeDirty(root, space);
  }

  /// Writes the dirty leaves at and below the root. The inner nodes above stay dirty, and in
  /// memory: where changes are spread, each has few dirty leaves, and to write it with them each
  /// time would double what is written.
  public void writeLeaves(Node root, int space) throws IOException {
    switch (root) {
      case Leaf leaf -> {
        if (!leaf.isClean()) {
          writeDirty(leaf, space);
        }
      }
      case Inner inner -> {
        if (!inner.isClean() && !inner.leavesAreClean) {
          Branches branches = pages.load(inner);
          for (int i = 0; i < branches.count(); i++) {
            Node child = branches.present(i);
            if (child != null) {
              writeLeaves(child, space);
            }
          }
          inner.leavesAreClean = true;
          pages.leavesArePlaced(inner);
        }
      }
    }
  }

  private long writeDirty(Node node, int space) throws IOException {
    switch (node) {
      case Leaf leaf -> {
        byte[] page = pages.load(leaf);
        byte[] image = PageImage.ofLeaf(page, space, leaf.epoch());
        place(leaf, image, Kind.LEAF, LeafPage.count(page));
        return LeafPage.count(page);
      }
      case Inner inner -> {
        Branches branches = pages.load(inner);
        long entries = 0;
        for (int i = 0; i < branches.count(); i++) {
          Node child = branches.present(i);
          entries += child == null ? branches.entryCount(i) : write(child, space);
        }
        byte[] image = PageImage.ofInner(branches, inner.level(), space, inner.epoch());
        place(inner, image, Kind.INNER, entries);
        return entries;
      }
    }
  }

  private void place(Node node, byte[] clear, Kind kind, long entries) throws IOException {
    byte[] compressed = file.compressed(clear, clear.length, kind);
    byte[] image = compressed == null ? clear : compressed;
    long extent = file.extents().allocate(file.storedBytes(image.length));
    byte[] stored;
    boolean appended = false;
    try {
      stored = file.stored(image, image.length, extent);
      append(extent, stored);
      appended = true;
    } finally {
      if (!appended) {
        file.extents().discard(extent);
      }
    }
    gathered.add(node);
    gatheredDirtyBytes += Pages.dirtyBytes(node);
    pages.placed(node, extent, PageImage.storedChecksum(stored), entries);
  }

  private void append(long extent, byte[] image) throws IOException {
    int padded = Extent.units(extent) * Extent.UNIT_BYTES;
    boolean alone = padded > buffer.capacity() || pace.isTight();
    if (alone || Extent.unit(extent) != nextUnit || buffer.remaining() < padded) {
      flush();
      bufferExtent = extent;
    }
    if (alone) {
      file.write(extent, ByteBuffer.wrap(image));
      bytesWritten += padded;
      nextUnit = -1;
      return;
    }
    buffer.put(image);
    buffer.put(PADDING, 0, padded - image.length);
    nextUnit = Extent.unit(extent) + Extent.units(extent);
  }

  /// Writes what has gathered.
  public void flush() throws IOException {
    if (buffer.position() > 0) {
      int bytes = buffer.position();
      ByteBuffer images = buffer.duplicate().flip();
      if (pace.isEven()) {
        file.writeSynchronously(bufferExtent, images);
      } else {
        file.write(bufferExtent, images);
      }
      bytesWritten += bytes;
      pace.wrote(bytes);
    }
    buffer.clear();
    nextUnit = -1;
    if (!gathered.isEmpty()) {
      pages.written(gathered, gatheredDirtyBytes);
      gathered.clear();
      gatheredDirtyBytes = 0;
    }
  }

  /// The bytes written in all.
  public long bytesWritten() {
    return bytesWritten;
  }
}
