package io.varve.infinispan.migration;

import io.reactivex.rxjava3.core.Flowable;
import io.varve.VarveException;
import io.varve.infinispan.CacheDirectory;
import io.varve.infinispan.VarveStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.infinispan.commons.util.Util;
import org.infinispan.persistence.spi.MarshallableEntry;

/// Imports caches from the stores that Infinispan ships into Varve. A cache that is configured with
/// a `varve-store` instead of them starts with all entries: values, times, metadata and versions.
///
/// - **Source:** never changed. It must not be in use.
/// - **Target:** made under another name, and renamed when it is whole and on the disk. If an
///   import breaks off, the target is as it was, and the next import begins again.
/// - **Memory:** does not grow with the cache, except a SingleFileStore, which keeps its keys on
///   the heap.
/// - **Expiry:** what has expired is left out.
public final class CacheImport {
  /// What one commit of the target has at the most: entries, and bytes of values, one value more.
  private static final int COMMIT_ENTRIES_MAX = 1000;

  private static final long COMMIT_BYTES_MAX = 1 << 20;

  /// What the store of a target is called between the rename of it and that of the new one.
  private static final String REPLACED = "replaced";

  private final ImportOptions options;
  private final ImportProgress progress;

  /// Makes an import that has not begun.
  public CacheImport(ImportOptions options, ImportProgress progress) {
    this.options = options;
    this.progress = progress;
  }

  /// The names of all caches that the source has a store of.
  ///
  /// @throws ImportException if it has none
  public List<String> caches() {
    Path source = options.source();
    if (!Files.isDirectory(source)) {
      throw new ImportException("no such directory: directory=" + source);
    }
    List<String> caches = SourceStore.caches(source);
    if (caches.isEmpty()) {
      throw new ImportException(
          "no store of Infinispan found: directory="
              + source
              + ", lookedFor=NAME.dat or NAME/data with files of a SoftIndexFileStore of"
              + " Infinispan 12 to 16 or of RocksDB; give the directory that the stores name as"
              + " their location");
    }
    return caches;
  }

  /// Imports one cache.
  ///
  /// @throws ImportException if that cannot be done; the message states why and what to do
  public ImportReport run(String cache) {
    SourceStore kind = kind(cache);
    String name = CacheDirectory.nameOf(cache);
    Path target = options.target().resolve(name).resolve("varve");
    Path staging = options.target().resolve(".varve-import-" + cache);
    try {
      Files.createDirectories(options.target());
      try (FileChannel lockFile =
              FileChannel.open(
                  options.target().resolve(".varve-import.lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock _ = lock(lockFile)) {
        restoreReplaced(staging, target);
        requireReplaceable(cache, target);
        Util.recursiveFileRemove(staging); // what an import left that broke off
        try {
          ImportReport report = run(cache, kind, staging);
          publish(staging.resolve("target").resolve(name).resolve("varve"), target, staging);
          return report;
        } finally {
          Util.recursiveFileRemove(staging);
        }
      }
    } catch (IOException e) {
      throw new ImportException("file access failed: cause=" + e, e);
    }
  }

  private SourceStore kind(String cache) {
    List<SourceStore> kinds =
        Stream.of(SourceStore.values()).filter(kind -> kind.isAt(options.source(), cache)).toList();
    if (kinds.size() == 1) {
      return kinds.getFirst();
    }
    if (kinds.isEmpty()) {
      throw new ImportException(
          "no store of this cache found: cache="
              + cache
              + ", directory="
              + options.source()
              + ", found="
              + String.join(", ", caches()));
    }
    throw new ImportException(
        "more than one store of this cache: cache="
            + cache
            + ", found="
            + kinds.stream().map(SourceStore::label).toList()
            + "; move those that are not to be imported to another directory");
  }

  private FileLock lock(FileChannel file) throws IOException {
    FileLock lock = null;
    try {
      lock = file.tryLock();
    } catch (OverlappingFileLockException _) {
      // by this very process
    }
    if (lock == null) {
      throw new ImportException(
          "another import is under way: directory=" + options.target() + "; wait for its end");
    }
    return lock;
  }

  /// Looks into the target, which also shows whether a process uses it.
  private void requireReplaceable(String cache, Path target) {
    if (SourceStore.names(target).isEmpty()) {
      return;
    }
    long entries;
    try {
      entries = VarveStore.count(target);
    } catch (VarveException e) {
      throw new ImportException(
          "the target cannot be opened: cache="
              + cache
              + ", directory="
              + target
              + ", cause="
              + e.getMessage()
              + "; stop the process that uses it, or move it away",
          e);
    }
    if (entries > 0 && !options.replace()) {
      throw new ImportException(
          "the target holds entries: cache="
              + cache
              + ", directory="
              + target
              + ", entries="
              + entries
              + "; import elsewhere, or say that they are to be replaced");
    }
  }

  private CacheSettings settings(String cache) {
    return CacheSettings.of(cache, options.configuration());
  }

  private ImportReport run(String cache, SourceStore kind, Path staging) throws IOException {
    requireUnused(kind, cache);
    Path copy = Files.createDirectories(staging.resolve("source"));
    kind.copy(options.source(), cache, copy);
    List<String> skipped = new ArrayList<>();
    try {
      kind.requireSound(copy, cache);
    } catch (ImportException e) {
      if (!options.skipDamaged()) {
        throw e;
      }
      skipped.add(e.getMessage());
    }
    CacheSettings settings = settings(cache);
    try (ImportSource source = ImportSource.open(cache, kind, copy, settings);
        ImportTarget target = ImportTarget.open(cache, staging.resolve("target"), settings)) {
      Copying copying = new Copying(cache, target, source.approximateSize());
      if (options.skipDamaged()) {
        copying.all(source.readableEntries(skipped::add));
      } else {
        copying.all(source.entries());
      }
      return new ImportReport(
          cache,
          kind.label(),
          target.count(),
          copying.valueBytes,
          skipped.subList(0, Math.min(skipped.size(), ImportReport.SKIPPED_NAMED_MAX)),
          skipped.size());
    }
  }

  private void requireUnused(SourceStore kind, String cache) throws IOException {
    Path file = kind.lockFile(options.source(), cache);
    if (!Files.isWritable(file)) {
      return; // no process can have locked it
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        throw inUse(cache, file);
      }
    } catch (OverlappingFileLockException e) {
      throw inUse(cache, file);
    }
  }

  private static ImportException inUse(String cache, Path file) {
    return new ImportException(
        "the store is in use: cache="
            + cache
            + ", lockFile="
            + file
            + "; stop the process that uses it, and import again");
  }

  /// Gives a store its name back that an import was about to replace when it broke off.
  private static void restoreReplaced(Path staging, Path target) throws IOException {
    Path replaced = staging.resolve(REPLACED);
    if (Files.exists(replaced) && !Files.exists(target)) {
      move(replaced, target);
    }
  }

  /// Gives a finished store its name, for good.
  private static void publish(Path made, Path target, Path staging) throws IOException {
    Path parent = target.toAbsolutePath().getParent();
    if (parent == null) {
      throw new IOException("no directory above " + target);
    }
    Files.createDirectories(parent);
    if (Files.exists(target)) {
      move(target, staging.resolve(REPLACED));
    }
    move(made, target);
    force(parent);
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      throw new IOException("cannot be moved atomically: from=" + from + ", to=" + to, e);
    }
  }

  /// Forces the names in a directory, where the system can.
  private static void force(Path directory) {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // Not every system opens directories. Then the names are as durable as it makes them.
    }
  }

  /// One run over the entries of a source.
  private final class Copying {
    private final String cache;
    private final ImportTarget target;
    private final long about;
    private final List<MarshallableEntry<Object, Object>> commit = new ArrayList<>();
    private long commitBytes;
    private long entries;
    private long valueBytes;

    Copying(String cache, ImportTarget target, long about) {
      this.cache = cache;
      this.target = target;
      this.about = about;
    }

    void all(Flowable<MarshallableEntry<Object, Object>> source) {
      try {
        Iterator<MarshallableEntry<Object, Object>> rest =
            source.blockingIterable(COMMIT_ENTRIES_MAX).iterator();
        while (rest.hasNext()) {
          add(rest.next());
        }
      } catch (UncheckedIOException | ImportException e) {
        throw e;
      } catch (RuntimeException e) {
        throw new ImportException(
            "the source cannot be read: cache="
                + cache
                + ", directory="
                + options.source()
                + ", read="
                + entries
                + ", cause="
                + RootCause.message(e)
                + "; nothing was imported: say that what is damaged is to be skipped, or restore"
                + " the source from a backup",
            e);
      }
      write();
    }

    private void add(MarshallableEntry<Object, Object> entry) {
      commit.add(entry);
      commitBytes += entry.getValueBytes().getLength();
      if (commit.size() >= COMMIT_ENTRIES_MAX || commitBytes >= COMMIT_BYTES_MAX) {
        write();
      }
    }

    private void write() {
      target.write(commit);
      entries += commit.size();
      valueBytes += commitBytes;
      commit.clear();
      commitBytes = 0;
      progress.imported(cache, entries, about);
    }
  }
}
