package io.varve;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/// Experts' options of the log, a group of [StoreOptions]. Immutable. None of them changes what a
/// commit promises, except how much a loss of power may take of what is weaker than
/// [Durability#POWER_LOSS] ([#flushInterval()]).
///
/// @since 1.0
public final class LogOptions {
  static final LogOptions DEFAULTS = new LogOptions(new Values());

  /// Never changed once it is here.
  private final Values values;

  /// What is set, at first to the defaults.
  private static final class Values implements Cloneable {
    long bytesMax = 256L << 20;
    int bufferBytes = 16 << 20;
    int segmentBytes = 16 << 20;
    LogIo io = LogIo.DIRECT;
    CommitGrouping commitGrouping = new CommitGrouping.Adaptive();
    CommitWait commitWait = CommitWait.ADAPTIVE;
    Duration flushInterval = Duration.ofMillis(200);

    Values copy() {
      try {
        return (Values) clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private LogOptions(Values values) {
    this.values = values;
  }

  private LogOptions with(Consumer<Values> change) {
    Values copy = values.copy();
    change.accept(copy);
    return new LogOptions(copy);
  }

  /// The most log that is retained between checkpoints, in bytes; it bounds the time of a recovery.
  public long bytesMax() {
    return values.bytesMax;
  }

  /// Sets the cap on the log, from 1 MiB; at least four times [#segmentBytes()] is sensible.
  /// Default 256 MiB.
  public LogOptions bytesMax(long value) {
    OptionRange.require("log.bytesMax", value, 1 << 20, Long.MAX_VALUE);
    return with(copy -> copy.bytesMax = value);
  }

  /// The ring to which commits append their log records, in bytes.
  public int bufferBytes() {
    return values.bufferBytes;
  }

  /// Sets the size of the log's ring, 64 KiB to 256 MiB, a power of two. Default 16 MiB. At most a
  /// quarter of [#bytesMax()] is used.
  public LogOptions bufferBytes(int value) {
    OptionRange.require("log.bufferBytes", value, 1 << 16, 1 << 28);
    if (Integer.bitCount(value) != 1) {
      throw new IllegalArgumentException(
          "log.bufferBytes must be a power of two: log.bufferBytes=" + value);
    }
    return with(copy -> copy.bufferBytes = value);
  }

  /// The size of a file of the log, in bytes.
  public int segmentBytes() {
    return values.segmentBytes;
  }

  /// Sets the size of a file of the log, 256 KiB to 1 GiB; rounded up to a multiple of
  /// [#bufferBytes()]. Default 16 MiB.
  public LogOptions segmentBytes(int value) {
    OptionRange.require("log.segmentBytes", value, 1 << 18, 1 << 30);
    return with(copy -> copy.segmentBytes = value);
  }

  /// How the log is written.
  public LogIo io() {
    return values.io;
  }

  /// Sets how the log is written. Default [LogIo#DIRECT].
  public LogOptions io(LogIo value) {
    Objects.requireNonNull(value, "log.io");
    return with(copy -> copy.io = value);
  }

  /// How commits share forces of the log.
  public CommitGrouping commitGrouping() {
    return values.commitGrouping;
  }

  /// Sets how commits share forces of the log. Default [CommitGrouping.Adaptive].
  public LogOptions commitGrouping(CommitGrouping value) {
    Objects.requireNonNull(value, "log.commitGrouping");
    return with(copy -> copy.commitGrouping = value);
  }

  /// How a thread waits until its commit is durable.
  public CommitWait commitWait() {
    return values.commitWait;
  }

  /// Sets how a thread waits until its commit is durable. Default [CommitWait#ADAPTIVE].
  public LogOptions commitWait(CommitWait value) {
    Objects.requireNonNull(value, "log.commitWait");
    return with(copy -> copy.commitWait = value);
  }

  /// How long a commit that is weaker than [Durability#POWER_LOSS] waits for a force at most.
  public Duration flushInterval() {
    return values.flushInterval;
  }

  /// Sets how long a commit that is weaker than [Durability#POWER_LOSS] waits for a force at most,
  /// 1 ms to 1 hour. A loss of power takes about so much of these. Default 200 ms.
  public LogOptions flushInterval(Duration value) {
    OptionRange.require("log.flushInterval", value, Duration.ofMillis(1), Duration.ofHours(1));
    return with(copy -> copy.flushInterval = value);
  }
}
