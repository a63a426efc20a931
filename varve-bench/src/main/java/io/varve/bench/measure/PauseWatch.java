package io.varve.bench.measure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/// What garbage collection made threads wait within the time measured, as the JVM's flight recorder
/// records it: to the microsecond, and alike for every collector. In addition to pauses of all
/// threads it is the waits of single threads for memory that ZGC has yet to free; what began in the
/// warm-up does not count.
public final class PauseWatch implements Cell.Observer, AutoCloseable {
  private static final List<String> WAITS = List.of("jdk.GCPhasePause", "jdk.ZAllocationStall");
  private static final long NANOS_MAX = TimeUnit.MINUTES.toNanos(10);
  private static final int DIGITS = 3;

  private final RecordingStream stream = new RecordingStream();
  private final Histogram nanos = new ConcurrentHistogram(NANOS_MAX, DIGITS);
  private final LongAdder total = new LongAdder();
  // Written by the measuring thread, read by the stream's: events come late, and so have their
  // time.
  private volatile Instant begin = Instant.MAX;
  private volatile Instant end = Instant.MAX;

  /// Begins to listen.
  public PauseWatch() {
    for (String wait : WAITS) {
      stream.enable(wait).withThreshold(Duration.ZERO);
      stream.onEvent(wait, this::noted);
    }
    stream.startAsync();
  }

  @Override
  public void begins() {
    begin = Instant.now();
  }

  @Override
  public void ends() {
    end = Instant.now();
  }

  private void noted(RecordedEvent event) {
    if (event.getStartTime().isBefore(begin) || event.getStartTime().isAfter(end)) {
      return;
    }
    long duration = Math.min(NANOS_MAX, event.getDuration().toNanos());
    nanos.recordValue(duration);
    total.add(duration);
  }

  /// Takes in what was recorded so far, and ends.
  public void stop() {
    stream.stop();
  }

  /// The longest pause, in milliseconds; 0 if there was none.
  public double maxMillis() {
    return nanos.getMaxValue() / 1e6;
  }

  /// The pause that one in a hundred is longer than, in milliseconds; 0 if there was none.
  public double p99Millis() {
    return nanos.getTotalCount() == 0 ? 0 : nanos.getValueAtPercentile(99) / 1e6;
  }

  /// The time of all pauses, in milliseconds; of threads that wait concurrently, the sum.
  public double totalMillis() {
    return total.sum() / 1e6;
  }

  @Override
  public void close() {
    stream.close();
  }
}
