package io.varve.internal.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/// The wait of a commit that found no capacity in the log.
@Name("io.varve.LogWait")
@Label("Log Wait")
@Category("Varve")
@Description("The wait of a commit that found no capacity in the log")
@Threshold("10 ms")
@StackTrace(false)
public final class LogWaitEvent extends Event {
  private static final LogWaitEvent PROBE = new LogWaitEvent();

  @Label("Obstacle")
  @Description(
      "What was in the way last: BUFFER, log that was not written yet; SEGMENT, files that were not"
          + " prepared; CHECKPOINT, log that none had released")
  private @Nullable String obstacle;

  @Label("Bytes")
  @Description("Length of the commit's body")
  @DataAmount
  private long bytes;

  private LogWaitEvent() {}

  /// Begins an event; null if nobody records it.
  static @Nullable LogWaitEvent start() {
    if (!PROBE.isEnabled()) {
      return null;
    }
    LogWaitEvent event = new LogWaitEvent();
    event.begin();
    return event;
  }

  /// Ends the event.
  public void ended(String lastObstacle, long bodyBytes) {
    if (shouldCommit()) {
      obstacle = lastObstacle;
      bytes = bodyBytes;
      commit();
    }
  }
}
