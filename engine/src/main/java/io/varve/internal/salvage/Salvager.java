package io.varve.internal.salvage;

import io.varve.CorruptStoreException;
import io.varve.Cursor;
import io.varve.ProgressListener;
import io.varve.Range;
import io.varve.Space;
import io.varve.admin.SalvageReport;
import io.varve.internal.crypto.DataKey;
import io.varve.internal.disk.Disk;
import io.varve.internal.file.Catalog;
import io.varve.internal.file.Catalog.SpaceRoot;
import io.varve.internal.file.ImageScan;
import io.varve.internal.file.LargeValues;
import io.varve.internal.file.PageFile;
import io.varve.internal.file.SpaceDefinition;
import io.varve.internal.file.Superblock;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Extent;
import io.varve.internal.page.LargeReference;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.MalformedImageException;
import io.varve.internal.page.Node;
import io.varve.internal.page.PageImage;
import io.varve.internal.page.PageImage.Kind;
import io.varve.internal.salvage.Gaps.Gap;
import io.varve.internal.tree.StoredValue;
import io.varve.internal.txn.ChosenChanges;
import io.varve.internal.txn.DroppedSpaces;
import io.varve.internal.txn.LogRecord;
import io.varve.internal.wal.LogSalvage;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.RecordSource;
import io.varve.internal.wal.format.StoreId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Makes a new store of what is intact in a damaged one.
///
/// 1. The newest checkpoint whose superblock and catalog are whole is walked from its roots. What
///    it leads to is what the store held then. A page that is not intact leaves a *gap*: a range of
///    keys of its space.
/// 2. If there are gaps, the page file is searched for leaves whatever leads to them. A leaf that
///    is found shows which entries its range of keys, from its first to its last, had in its epoch.
///    So the leaves are merged over each other in the order of their epochs, in the gaps alone.
///    That brings the newest intact version of each key, and what was deleted between two keys of a
///    newer leaf stays deleted. What was deleted beyond the first or last key of the newest leaf,
///    or with all of it, may come back.
/// 3. The commits of the log after the checkpoint are applied in their order.
///
/// If no superblock is whole, the newest catalog that the search finds replaces it, but might not
/// be that of the newest checkpoint. So leaves that are younger are merged over it in all places,
/// and all of the log is applied. Without a catalog that goes for every leaf; the names of spaces
/// are those that the log gives.
///
/// Memory stays constant: leaves are put in order, and merged over each other, in spaces of the new
/// store that are dropped at the end. For one thread.
public final class Salvager {
  private static final byte INLINE = 0;
  private static final byte LARGE = 1;

  private final Disk disk;

  /// Of the damaged store; null if it is not encrypted.
  private final @Nullable DataKey dataKey;

  private final PageFile file;
  private final ProgressListener listener;
  private final NewStore target;
  private final SpaceNames names;
  private final Losses losses;
  private final Gaps gaps = new Gaps();

  /// Leaves found by search, in the order in which they are merged over each other. Null until
  /// needed.
  private @Nullable Space leaves;

  /// What the leaves merged over each other give, by the id of their space.
  private final Map<Integer, Space> entries = new TreeMap<>();

  private long pageEntries;
  private long foundEntries;

  private Salvager(
      Disk disk,
      PageFile file,
      @Nullable DataKey dataKey,
      SalvageTarget target,
      Losses losses,
      ProgressListener listener) {
    this.disk = disk;
    this.losses = losses;
    this.dataKey = dataKey;
    this.file = file;
    this.listener = listener;
    this.target = new NewStore(target.store());
    this.names = new SpaceNames(target);
  }

  /// Fills an empty store with what is intact in the files on a disk, which stay as they are.
  ///
  /// @param dataKey of those files, or null if they are not encrypted
  public static SalvageReport salvage(
      Disk disk, @Nullable DataKey dataKey, SalvageTarget target, ProgressListener listener)
      throws IOException {
    Losses losses = new Losses();
    Disk damaged = new DamagedDisk(disk, losses);
    try (PageFile file = PageFile.openReadOnly(damaged, PageFile.NAME, dataKey)) {
      return new Salvager(damaged, file, dataKey, target, losses, listener).run();
    }
  }

  /// Where the salvage starts.
  ///
  /// @param superblock null if none is whole that leads to a whole catalog
  /// @param catalog null if there is none at all
  /// @param epoch of the catalog; 0 if there is none
  private record Start(@Nullable Superblock superblock, @Nullable Catalog catalog, long epoch) {
    /// Whether younger leaves may belong to the store.
    boolean isUncertain() {
      return superblock == null;
    }
  }

  private SalvageReport run() throws IOException {
    Start start = findStart();
    Superblock superblock = start.superblock;
    try (LogSalvage log = openLog(superblock)) {
      Catalog catalog = start.catalog;
      if (catalog == null) {
        readNames();
      } else {
        List<SpaceRoot> spaces =
            catalog.spaces().stream()
                .filter(root -> !DroppedSpaces.isDropped(root.id(), root.name()))
                .toList();
        spaces.forEach(root -> names.name(root.id(), root.name()));
        for (SpaceRoot root : spaces) {
          names.define(root.id(), root.definition());
          walk(start, root.id(), root.level(), root.extent(), root.checksum(), null, null);
        }
      }
      if (start.isUncertain() || !gaps.isEmpty()) {
        search(start);
      }
      target.flush();
      long commits = apply(log, superblock);
      target.flush();
      names.dropIndexes();
      dropScratch();
      return new SalvageReport(
          losses.first(),
          losses.count(),
          target.store().spaceNames().size(),
          pageEntries,
          foundEntries,
          commits);
    }
  }

  // --- where to start ---------------------------------------------------------------------------

  private Start findStart() throws IOException {
    Superblock even = Superblock.read(file, 0);
    Superblock odd = Superblock.read(file, 1);
    boolean evenFirst = odd == null || (even != null && even.sequence() > odd.sequence());
    for (Superblock candidate : Arrays.asList(evenFirst ? even : odd, evenFirst ? odd : even)) {
      if (candidate != null) {
        try {
          Catalog catalog =
              Catalog.read(file, candidate.catalogExtent(), candidate.catalogChecksum());
          return new Start(candidate, catalog, candidate.epoch());
        } catch (CorruptStoreException _) {
          // The checkpoint before may do: then nothing is lost, since the log after it is kept.
        }
      }
    }
    losses.add(
        file.where(),
        0,
        even == null && odd == null
            ? "both superblocks damaged"
            : "no superblock leads to a whole catalog");
    return findCatalog();
  }

  private Start findCatalog() throws IOException {
    long[] newest = new long[2];
    ImageScan.run(
        file,
        (kind, extent, image) -> {
          if (kind == Kind.CATALOG && PageImage.epoch(image) >= newest[0]) {
            newest[0] = PageImage.epoch(image);
            newest[1] = extent;
          }
        },
        _ -> {});
    byte[] image = newest[1] == 0 ? null : ImageScan.read(file, newest[1], Kind.CATALOG);
    return new Start(null, image == null ? null : Catalog.decode(image), newest[0]);
  }

  // --- 1: what the roots lead to ----------------------------------------------------------------

  private void walk(
      Start start,
      int space,
      int level,
      long extent,
      int checksum,
      byte @Nullable [] from,
      byte @Nullable [] to) {
    byte[] page = null;
    Branches branches = null;
    try {
      byte[] image = file.read(extent, level == 0 ? Kind.LEAF : Kind.INNER, checksum);
      if (level == 0) {
        page = PageImage.toLeaf(image);
      } else {
        branches = PageImage.toBranches(image, level);
      }
    } catch (CorruptStoreException | MalformedImageException _) {
      gaps.add(space, from, to);
      losses.add(
          file.where(),
          Extent.offset(extent),
          (level == 0 ? "leaf" : "inner page of level " + level)
              + " damaged, of "
              + describe(space));
      return;
    }
    if (branches == null) {
      LeafEntries leaf = new LeafEntries(space, Objects.requireNonNull(page));
      for (int i = 0; i < leaf.count(); i++) {
        if (start.isUncertain()) {
          keep(leaf, i);
        } else {
          emit(space, leaf.key(i), leaf.value(i));
        }
      }
      progress(Extent.bytes(extent));
      return;
    }
    for (int i = 0; i < branches.count(); i++) {
      Node child = branches.child(i);
      walk(
          start,
          space,
          child.level(),
          child.extent(),
          child.checksum(),
          i == 0 ? from : branches.separator(i - 1),
          i == branches.count() - 1 ? to : branches.separator(i));
    }
  }

  private String describe(int space) {
    return "space " + names.space(space).name();
  }

  private long bytesDone;

  private void progress(long bytes) {
    bytesDone += bytes;
    listener.progress(bytesDone, -1);
  }

  private void emit(int space, byte[] key, StoredValue value) {
    Space into = names.space(space);
    if (!value.large()) {
      target.put(into, key, value.bytes());
    } else if (!emitLarge(into, key, value.bytes())) {
      return;
    }
    pageEntries++;
  }

  /// Puts a large value, by the transaction if it fits into one: a stream is forced as it is
  /// written.
  private boolean emitLarge(Space into, byte[] key, byte[] reference) {
    long length = LargeReference.length(reference, 0);
    try {
      if (length <= NewStore.BATCH_BYTES) {
        target.put(into, key, LargeValues.read(file, reference));
      } else {
        target.put(into, key, LargeValues.open(file, reference), length);
      }
      return true;
    } catch (CorruptStoreException | IllegalArgumentException e) { // or an impossible length
      losses.add(
          file.where(),
          Extent.offset(LargeReference.extent(reference)),
          "large value damaged, of key 0x"
              + HexFormat.of().formatHex(key)
              + " in space "
              + into.name());
      return false;
    }
  }

  // --- 2: what a search finds -------------------------------------------------------------------

  private Space leaves() {
    Space present = leaves;
    if (present == null) {
      present = target.store().space("salvage-leaves-" + UUID.randomUUID());
      leaves = present;
    }
    return present;
  }

  private Space entries(int space) {
    return entries.computeIfAbsent(
        space, _ -> target.store().space("salvage-entries-" + UUID.randomUUID()));
  }

  private void dropScratch() {
    if (leaves != null) {
      target.store().dropSpace(leaves.name());
    }
    entries.values().forEach(found -> target.store().dropSpace(found.name()));
  }

  private void search(Start start) throws IOException {
    long unopened =
        ImageScan.run(
            file,
            (kind, extent, image) -> {
              if (kind == Kind.LEAF && isWanted(start, image)) {
                target.put(leaves(), LeafKey.encode(image, extent), new byte[0]);
              }
            },
            position -> listener.progress(bytesDone + position, -1));
    if (unopened > 0) {
      losses.add(
          file.where(),
          0,
          dataKey == null
              ? unopened
                  + " encrypted pages, but there is no keys file, or pages of a codec that is"
                  + " missing: put the file back, or add the module"
              : unopened + " pages that are not what was encrypted or compressed");
    }
    target.flush();
    if (leaves != null) {
      writeOver(start, leaves);
    }
    entries.forEach(this::emitAll);
  }

  private boolean isWanted(Start start, byte[] image) {
    byte[] page = PageImage.toLeaf(image);
    if (LeafPage.count(page) == 0) {
      return false;
    }
    if (start.isUncertain() && PageImage.epoch(image) > start.epoch) {
      return true;
    }
    byte[] first = LeafPage.key(page, 0);
    byte[] last = LeafPage.key(page, LeafPage.count(page) - 1);
    return !gaps.meeting(PageImage.space(image), first, last).isEmpty();
  }

  private void writeOver(Start start, Space order) throws IOException {
    try (Cursor cursor = order.cursor(Range.all())) {
      while (cursor.next()) {
        long extent = LeafKey.extent(cursor.key());
        byte[] image = ImageScan.read(file, extent, Kind.LEAF);
        if (image == null) {
          continue; // It was intact at the first read; now the disk gives something else.
        }
        LeafEntries leaf = new LeafEntries(PageImage.space(image), PageImage.toLeaf(image));
        boolean everywhere = start.isUncertain() && PageImage.epoch(image) > start.epoch;
        byte[] first = leaf.key(0);
        byte[] last = leaf.key(leaf.count() - 1);
        List<Gap> within =
            everywhere ? List.of(Gap.EVERYTHING) : gaps.meeting(leaf.space(), first, last);
        for (Gap gap : within) {
          writeOver(leaf, first, last, gap);
        }
      }
    }
  }

  /// Makes a gap hold, from the first key of a leaf to its last, what the leaf holds.
  private void writeOver(LeafEntries leaf, byte[] first, byte[] last, Gap gap) {
    byte[] from = Arrays.compareUnsigned(first, gap.from()) < 0 ? gap.from() : first;
    byte[] to = gap.to();
    boolean reachesEnd = to == null || Arrays.compareUnsigned(last, to) < 0;
    target.deleteRange(
        entries(leaf.space()),
        to == null || reachesEnd ? Range.closed(from, last) : Range.of(from, to));
    for (int i = 0; i < leaf.count(); i++) {
      if (gap.contains(leaf.key(i))) {
        keep(leaf, i);
      }
    }
  }

  private void keep(LeafEntries leaf, int index) {
    StoredValue value = leaf.value(index);
    byte[] bytes = new byte[1 + value.bytes().length];
    bytes[0] = value.large() ? LARGE : INLINE;
    System.arraycopy(value.bytes(), 0, bytes, 1, value.bytes().length);
    target.put(entries(leaf.space()), leaf.key(index), bytes);
  }

  private void emitAll(int space, Space found) {
    target.flush();
    long before = pageEntries;
    try (Cursor cursor = found.cursor(Range.all())) {
      while (cursor.next()) {
        byte[] value = cursor.value();
        emit(
            space,
            cursor.key(),
            new StoredValue(Arrays.copyOfRange(value, 1, value.length), value[0] == LARGE));
      }
    }
    foundEntries += pageEntries - before;
  }

  // --- 3: the log -------------------------------------------------------------------------------

  private LogSalvage openLog(@Nullable Superblock superblock) throws IOException {
    StoreId id = superblock == null ? null : new StoreId(superblock.idHigh(), superblock.idLow());
    return LogSalvage.open(disk, id, dataKey, losses::add);
  }

  /// Learns the names of spaces that the log makes.
  private void readNames() throws IOException {
    ChosenChanges reader =
        new ChosenChanges() {
          @Override
          public void createSpace(int id, String name) {
            names.name(id, name);
          }

          @Override
          public void defineSpace(int id, SpaceDefinition definition) {
            names.name(id, definition.name());
          }
        };
    // What it cannot read is reported when the log is applied.
    try (LogSalvage log = LogSalvage.open(disk, null, dataKey, (_, _, _) -> {})) {
      log.read(null, (_, _, body) -> LogRecord.read(body, reader));
    }
  }

  private long apply(LogSalvage log, @Nullable Superblock superblock) throws IOException {
    LogPosition from =
        superblock == null
            ? null
            : new LogPosition(superblock.cut(), superblock.generation(), superblock.mayEnd());
    ChosenChanges reader =
        new ChosenChanges() {
          @Override
          public void put(int space, byte[] key, byte[] value) {
            if (value.length > NewStore.BATCH_BYTES) {
              target.put(names.space(space), key, new ByteArrayInputStream(value), value.length);
            } else {
              target.put(names.space(space), key, value);
            }
          }

          @Override
          public void putLarge(int space, byte[] key, StoredValue reference) {
            emitLarge(names.space(space), key, reference.bytes());
          }

          @Override
          public void delete(int space, byte[] key) {
            target.delete(names.space(space), key);
          }

          @Override
          public void createSpace(int id, String name) {
            target.flush();
            names.created(id, name);
            names.space(id);
          }

          @Override
          public void defineSpace(int id, SpaceDefinition definition) {
            target.flush();
            names.define(id, definition);
          }

          @Override
          public void dropSpace(int id) {
            target.flush();
            names.drop(id);
          }
        };
    return log.read(from, (start, _, body) -> apply(reader, start, body));
  }

  private void apply(ChosenChanges reader, long lsn, RecordSource body) {
    try {
      LogRecord.read(body, reader);
    } catch (IndexOutOfBoundsException | IllegalStateException | IllegalArgumentException e) {
      losses.add(
          disk.describe("log"), 0, "log record makes no sense at LSN " + lsn + " (" + e + ")");
    }
  }
}
