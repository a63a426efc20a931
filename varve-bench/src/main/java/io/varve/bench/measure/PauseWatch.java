package io.varve.bench.measure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/// The pauses of the garbage collector from when this is made until it is stopped, as the JVM's
/// flight recorder tells them: to the microsecond, and alike for every collector.
public final class PauseWatch implements AutoCloseable {
  private static final String PAUSE = "jdk.GCPhasePause";
  private static final long NANOS_MAX = TimeUnit.MINUTES.toNanos(10);
  private static final int DIGITS = 3;

  private final RecordingStream stream = new RecordingStream();
  private final Histogram nanos = new ConcurrentHistogram(NANOS_MAX, DIGITS);
  private final LongAdder total = new LongAdder();

  /// Begins to listen.
  public PauseWatch() {
    stream.enable(PAUSE).withThreshold(Duration.ZERO);
    stream.onEvent(PAUSE, this::noted);
    stream.startAsync();
  }

  private void noted(RecordedEvent event) {
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

  /// The time of all pauses, in milliseconds.
  public double totalMillis() {
    return total.sum() / 1e6;
  }

  @Override
  public void close() {
    stream.close();
  }
}
