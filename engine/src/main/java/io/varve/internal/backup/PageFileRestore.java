package io.varve.internal.backup;

import io.varve.CorruptStoreException;
import io.varve.PageRetention;
import io.varve.ProgressListener;
import io.varve.UnsupportedFormatException;
import io.varve.internal.cache.PageCache;
import io.varve.internal.cache.Pages;
import io.varve.internal.file.Catalog;
import io.varve.internal.file.Catalog.SpaceRoot;
import io.varve.internal.file.ExtentSet;
import io.varve.internal.file.Extents;
import io.varve.internal.file.PageFile;
import io.varve.internal.file.Superblock;
import io.varve.internal.page.Node;
import io.varve.internal.tree.TreeVerifier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Puts the page file of a store together from the points of a chain. Each image goes to the extent
/// that it had, so that nothing that refers to it changes; what a later point needs of earlier ones
/// was not written over by those between, since it was live all the time.
public final class PageFileRestore {
  /// Pages that are kept in memory while the trees are checked, which reads each of them once.
  private static final long CACHE_BYTES = 4L << 20;

  private final BackupSet set;
  private final BackupHeader point;
  private final ProgressListener listener;

  /// Makes the restore of a point.
  public PageFileRestore(BackupSet set, BackupHeader point, ProgressListener listener) {
    this.set = set;
    this.point = point;
    this.listener = listener;
  }

  /// Writes the page file, all but its superblocks, durably, and checks every page of it.
  ///
  /// @param file empty
  /// @return the superblock that names what was written
  /// @throws CorruptStoreException if a backup file is damaged
  /// @throws UnsupportedFormatException if a codec is missing that its images need
  public Superblock write(PageFile file) throws IOException {
    file.needCodecs(point.codecs());
    List<BackupHeader> chain = set.chain(point);
    long total = chain.stream().mapToLong(BackupHeader::fileBytes).sum();
    long done = 0;
    for (BackupHeader part : chain) {
      long before = done;
      long[] here = new long[1];
      set.reader(part)
          .forEach((extent, image) -> {
            file.write(extent, ByteBuffer.wrap(image));
            here[0] += image.length;
            listener.progress(before + here[0], total);
          });
      done += part.fileBytes();
    }
    Catalog copied = Catalog.read(file, point.catalogExtent(), point.catalogChecksum());
    copied.requireWithin(file);
    check(file, copied);
    return finish(file, copied);
  }

  /// Reads back what was written since the pages were checked: both superblocks name one catalog.
  ///
  /// @param epochMin of that catalog
  /// @throws CorruptStoreException if the disk lost something
  public void requireWritten(PageFile file, long epochMin) throws IOException {
    Superblock even = Superblock.read(file, 0);
    Superblock odd = Superblock.read(file, 1);
    if (even == null
        || odd == null
        || even.catalogExtent() != odd.catalogExtent()
        || even.epoch() < epochMin) {
      throw unsound("superblocks were lost");
    }
    Catalog catalog = Catalog.read(file, even.catalogExtent(), even.catalogChecksum());
    if (even.epoch() > point.epoch()) {
      check(file, catalog); // a store wrote pages, which it verified in its memory alone
    }
  }

  private CorruptStoreException unsound(String problem) {
    return new CorruptStoreException(
        "backup makes no sound store: point="
            + point.number()
            + ": "
            + problem
            + "; restore again, or to a point before it, and take a full backup");
  }

  /// Reads every page that the catalog leads to.
  private void check(PageFile file, Catalog catalog) {
    Pages pages =
        new Pages(
            file,
            new PageCache(file.locks(), PageRetention.LRU, CACHE_BYTES, 1),
            point.pageBytes());
    ExtentSet met = new ExtentSet();
    List<String> problems = new ArrayList<>();
    Consumer<String> first =
        problem -> {
          if (problems.isEmpty()) {
            problems.add(problem);
          }
        };
    TreeVerifier verifier = new TreeVerifier(pages, first, met::add);
    for (SpaceRoot root : catalog.spaces()) {
      verifier.verify(
          root.name(),
          Node.reference(root.level(), root.extent(), root.checksum(), root.entryCount()));
    }
    ExtentSet live = ExtentSet.ofRuns(catalog.liveRuns());
    if (met.bytes() != live.bytes()) {
      first.accept("live bytes differ: expected=" + live.bytes() + ", found=" + met.bytes());
    }
    if (!problems.isEmpty()) {
      throw unsound(problems.getFirst());
    }
  }

  /// Writes a catalog that knows no checkpoint before it, and cuts off what is not live.
  private Superblock finish(PageFile file, Catalog copied) throws IOException {
    Extents extents = file.extents();
    long[] runs = copied.liveRuns();
    for (int i = 0; i < runs.length; i += 2) {
      extents.reserveLive(runs[i], runs[i + 1]);
    }
    Catalog catalog = new Catalog(copied.nextSpaceId(), copied.spaces(), runs, List.of(), 0);
    Catalog.Location location = catalog.write(file, point.epoch());
    file.truncate(extents.endBytes());
    file.force();
    return point.superblock(location.extent(), location.checksum());
  }
}
