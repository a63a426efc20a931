package io.varve.internal.event;

import io.varve.Durability;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/// The wait of a commit that was applied for the promise of its durability.
@Name("io.varve.CommitWait")
@Label("Commit Wait")
@Category("Varve")
@Description("The wait of an applied commit until it is as durable as asked")
@Threshold("10 ms")
@StackTrace(false)
public final class CommitWaitEvent extends Event {
  private static final CommitWaitEvent PROBE = new CommitWaitEvent();

  @Label("LSN")
  @Description("Place in the commit order")
  private long lsn;

  @Label("Durability")
  private @Nullable String durability;

  private CommitWaitEvent() {}

  /// Begins an event; null if nobody records it.
  static @Nullable CommitWaitEvent start() {
    if (!PROBE.isEnabled()) {
      return null;
    }
    CommitWaitEvent event = new CommitWaitEvent();
    event.begin();
    return event;
  }

  /// Ends the event.
  public void done(long commitLsn, Durability promised) {
    if (shouldCommit()) {
      lsn = commitLsn;
      durability = promised.name();
      commit();
    }
  }
}
