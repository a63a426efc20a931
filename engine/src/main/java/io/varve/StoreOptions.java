package io.varve;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// How a store is opened. Immutable; start at [#defaults()] and change what differs. None needs to
/// be guessed from the size of the data, and all may change from open to open.
///
/// ```java
/// StoreOptions.defaults().cacheBytes(1L << 30).log(log -> log.bytesMax(1L << 30));
/// ```
///
/// What few programs set is in groups: [#log()] and [#cache()].
///
/// @since 1.0
public final class StoreOptions {
  private static final StoreOptions DEFAULTS = new StoreOptions(new Values());

  /// Never changed once it is here.
  private final Values values;

  /// What is set, at first to the defaults.
  private static final class Values implements Cloneable {
    Durability durability = Durability.POWER_LOSS;
    long cacheBytes = Math.max(16L << 20, Runtime.getRuntime().maxMemory() / 4);
    PageCacheOptions cache = PageCacheOptions.DEFAULTS;
    int pageBytes = 8192;
    LogOptions log = LogOptions.DEFAULTS;
    @Nullable Executor completionExecutor;
    Duration checkpointInterval = Duration.ofMinutes(1);
    boolean createIfMissing = true;
    boolean readOnly;
    long diskBytesMax = Long.MAX_VALUE;
    boolean archiveLog;
    @Nullable KeySource encryption;
    String compression = "none";
    boolean snapshotOrigins;

    Values copy() {
      try {
        return (Values) clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private StoreOptions(Values values) {
    this.values = values;
  }

  private StoreOptions with(Consumer<Values> change) {
    Values copy = values.copy();
    change.accept(copy);
    return new StoreOptions(copy);
  }

  /// Durable against loss of power, a quarter of the heap for pages, 8 KiB pages, 256 MiB of log.
  public static StoreOptions defaults() {
    return DEFAULTS;
  }

  /// The durability of a commit that names none.
  public Durability durability() {
    return values.durability;
  }

  /// Sets the durability of a commit that names none. Default [Durability#POWER_LOSS].
  public StoreOptions durability(Durability value) {
    Objects.requireNonNull(value, "durability");
    return with(copy -> copy.durability = value);
  }

  /// The budget for pages in memory, in bytes.
  public long cacheBytes() {
    return values.cacheBytes;
  }

  /// Sets the budget for pages in memory, at least 1 MiB. Default a quarter of the heap.
  public StoreOptions cacheBytes(long value) {
    OptionRange.require("cacheBytes", value, 1 << 20, Long.MAX_VALUE);
    return with(copy -> copy.cacheBytes = value);
  }

  /// The experts' options of pages in memory.
  public PageCacheOptions cache() {
    return values.cache;
  }

  /// Changes the experts' options of pages in memory: `cache(cache -> cache.share(0.5))`.
  ///
  /// @param change given those in force here, returns those wanted
  public StoreOptions cache(UnaryOperator<PageCacheOptions> change) {
    PageCacheOptions value = Objects.requireNonNull(change.apply(values.cache), "cache");
    return with(copy -> copy.cache = value);
  }

  /// The experts' options of the log.
  public LogOptions log() {
    return values.log;
  }

  /// Changes the experts' options of the log: `log(log -> log.bytesMax(1L << 30))`.
  ///
  /// @param change given those in force here, returns those wanted
  public StoreOptions log(UnaryOperator<LogOptions> change) {
    LogOptions value = Objects.requireNonNull(change.apply(values.log), "log");
    return with(copy -> copy.log = value);
  }

  /// The size of a page in memory, in bytes.
  public int pageBytes() {
    return values.pageBytes;
  }

  /// Sets the size of a page in memory, 1 KiB to 32 KiB, a power of two. Default 8 KiB. Pages of
  /// other sizes that are in the store already are read, and rewritten when they change.
  public StoreOptions pageBytes(int value) {
    OptionRange.require("pageBytes", value, 1024, 32768);
    if (Integer.bitCount(value) != 1) {
      throw new IllegalArgumentException("pageBytes must be a power of two: pageBytes=" + value);
    }
    return with(copy -> copy.pageBytes = value);
  }

  /// What completes the stages of asynchronous commits, or null if a thread of the store does.
  public @Nullable Executor completionExecutor() {
    return values.completionExecutor;
  }

  /// Sets what completes the stages of asynchronous commits, and so runs what hangs on them.
  /// Default: a thread of the store. A program that passes it on to an executor saves a switch of
  /// threads by naming that one here. What it would run in the thread that gives it, which is one
  /// that writes the log, runs on a virtual thread; what it refuses, the store's own thread does.
  ///
  /// Stages complete in the order of their commits, except those after one on which something hangs
  /// that takes longer than about 20 ms: they are completed on other threads, in no order. So what
  /// blocks there delays no other stage, and no close. Over a second is logged, once.
  public StoreOptions completionExecutor(Executor value) {
    Objects.requireNonNull(value, "completionExecutor");
    return with(copy -> copy.completionExecutor = value);
  }

  /// How long changes wait for a checkpoint at most.
  public Duration checkpointInterval() {
    return values.checkpointInterval;
  }

  /// Sets how long changes wait for a checkpoint at most, 10 ms or more. With
  /// [java.time.temporal.ChronoUnit#FOREVER]'s, time makes none due. Default one minute.
  public StoreOptions checkpointInterval(Duration value) {
    OptionRange.require(
        "checkpointInterval", value, Duration.ofMillis(10), ChronoUnit.FOREVER.getDuration());
    return with(copy -> copy.checkpointInterval = value);
  }

  /// Whether a store is made where there is none.
  public boolean createIfMissing() {
    return values.createIfMissing;
  }

  /// Sets whether a store is made where there is none. Default true.
  public StoreOptions createIfMissing(boolean value) {
    return with(copy -> copy.createIfMissing = value);
  }

  /// Whether the store is opened without a change to its files.
  public boolean readOnly() {
    return values.readOnly;
  }

  /// Sets whether the store is opened without a change to its files: not a byte of its directory is
  /// written, created or deleted, by the open, by reads, or by the close. Default false.
  ///
  /// - **Reads** work as usual, [Store#verify()] included. What was to change the store is refused
  ///   with an [IllegalStateException] before it takes effect: commits, spaces that are not there
  ///   yet, drops, [Store#checkpoint()], [Store#compact()], and backups, since a backup names a
  ///   checkpoint of the store. A store is never made.
  /// - **Recovery.** The log of a store that was not closed is replayed into memory, by each such
  ///   open again. That takes what any recovery may take ([#cacheBytes()] and a quarter of it, up
  ///   to 256 MiB, for what is replayed). It takes as much as [#cacheBytes()] again for pages that
  ///   no longer fit there: with the default up to half of the heap. If that is not enough, the
  ///   open fails with [StoreFullException]: raise [#cacheBytes()], or open the store once for
  ///   writing. A store that was closed takes none of it. Options of the log have no effect.
  /// - **Lock.** The store is locked as usual, so that one process has it open; but the lock file
  ///   is not written, so that the refusal of another opener cannot name this process. Where files
  ///   may be read alone (permissions, a read-only volume), the lock is one that several readers
  ///   can share, and that no writer gets.
  public StoreOptions readOnly(boolean value) {
    return with(copy -> copy.readOnly = value);
  }

  /// The most that all files of the store may take on disk, in bytes.
  public long diskBytesMax() {
    return values.diskBytesMax;
  }

  /// Sets the most that all files of the store may take on disk, at least 4 MiB: the page file, the
  /// log, and a reserve. The store is then as on a disk of that size: what does not fit is refused
  /// with [StoreFullException], reads continue, and deletes and [Store#compact()] free capacity.
  /// The log takes an eighth of it at most, whatever its own options are, in addition to what is
  /// archived ([#archiveLog(boolean)]). Default `Long.MAX_VALUE`: all that the disk has.
  public StoreOptions diskBytesMax(long value) {
    OptionRange.require("diskBytesMax", value, 4 << 20, Long.MAX_VALUE);
    return with(copy -> copy.diskBytesMax = value);
  }

  /// Whether the log is archived, so that a backup can be restored to any later commit or time.
  public boolean archiveLog() {
    return values.archiveLog;
  }

  /// Sets whether the log is archived. Default false. Log that checkpoints no longer need moves to
  /// `log/kept`, and from there with the next backup to the directory of its target. It takes space
  /// until then, without bound, and counts within [#diskBytesMax(long)]: so take backups often
  /// enough. Values that the log would only refer to are written to it as well, and once a second
  /// the time is.
  public StoreOptions archiveLog(boolean value) {
    return with(copy -> copy.archiveLog = value);
  }

  /// Where the key of an encrypted store comes from, or null if the store is not encrypted.
  public @Nullable KeySource encryption() {
    return values.encryption;
  }

  /// Encrypts the store: every page and every log record, by AES-256-GCM. A store is encrypted from
  /// the start or never, and opens only with its key. Default: not encrypted. Sizes and numbers of
  /// pages and records, their times and the ids of spaces can still be seen in the files.
  public StoreOptions encryption(KeySource value) {
    Objects.requireNonNull(value, "encryption");
    return with(copy -> copy.encryption = value);
  }

  /// The name of the compression of pages, or `none`.
  public String compression() {
    return values.compression;
  }

  /// Compresses pages and large values when they are written to disk: `none`, `deflate`, or, with
  /// the module varve-compress, `lz4` or `zstd`; others can be added by [io.varve.spi.PageCodec].
  /// Default `none`. May change from open to open: what is there stays as it is, and can be read,
  /// until it is written again. Pages in memory and the log are not compressed. Pays best with
  /// larger pages ([#pageBytes(int)]). A name that is not there is refused when the store is
  /// opened.
  public StoreOptions compression(String value) {
    Objects.requireNonNull(value, "compression");
    return with(copy -> copy.compression = value);
  }

  /// Whether the line of code is recorded that takes a snapshot.
  public boolean snapshotOrigins() {
    return values.snapshotOrigins;
  }

  /// Sets whether [Statistics.SnapshotFigures#open()] has the line of code at which each open
  /// snapshot was taken, to find the one that was never closed. Default false: it takes a walk over
  /// the stack, some microseconds for each snapshot and each transaction that reads.
  public StoreOptions snapshotOrigins(boolean value) {
    return with(copy -> copy.snapshotOrigins = value);
  }
}
