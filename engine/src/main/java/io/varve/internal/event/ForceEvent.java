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

/// A synchronous write of the log, or a force of what was written.
@Name("io.varve.Force")
@Label("Log Force")
@Category("Varve")
@Description("A synchronous write of the log, or a force of what was written before")
@Threshold("10 ms")
@StackTrace(false)
public final class ForceEvent extends Event {
  private static final ForceEvent PROBE = new ForceEvent();

  @Label("Start LSN")
  @Description("Where the log begins that this makes durable")
  private long startLsn;

  @Label("Bytes")
  @Description("Log that this makes durable")
  @DataAmount
  private long bytes;

  @Label("Commits")
  @Description("Commits seen to wait for it; 0 if that is not known")
  private int commits;

  private ForceEvent() {}

  /// Begins an event; null if nobody records it.
  static @Nullable ForceEvent start() {
    if (!PROBE.isEnabled()) {
      return null;
    }
    ForceEvent event = new ForceEvent();
    event.begin();
    return event;
  }

  /// Ends the event.
  public void forced(long fromLsn, long toLsn, int waiting) {
    if (shouldCommit()) {
      startLsn = fromLsn;
      bytes = toLsn - fromLsn;
      commits = waiting;
      commit();
    }
  }
}
