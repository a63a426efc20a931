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

/// A commit, from the call until it is applied.
@Name("io.varve.Commit")
@Label("Commit")
@Category("Varve")
@Description(
    "A commit until it is applied: it waits for its turn, for pages it needs, and for capacity")
@Threshold("10 ms")
@StackTrace(false)
public final class CommitEvent extends Event {
  private static final CommitEvent PROBE = new CommitEvent();

  @Label("LSN")
  @Description("Place of the commit in the log, as the call returns it")
  private long lsn;

  @Label("Store")
  @Description("Page file of the store")
  private @Nullable String store;

  @Label("Space")
  @Description("The space, or the first of those that are locked")
  private @Nullable String space;

  @Label("Spaces")
  @Description("Number of spaces that are locked")
  private int spaces;

  @Label("Bytes")
  @Description("Keys and values in the log")
  @DataAmount
  private long bytes;

  private CommitEvent() {}

  /// Begins an event; null if nobody records it.
  static @Nullable CommitEvent start() {
    if (!PROBE.isEnabled()) {
      return null;
    }
    CommitEvent event = new CommitEvent();
    event.begin();
    return event;
  }

  /// Ends the event.
  public void applied(
      long commitLsn, String storeFile, String firstSpace, int spaceCount, long bodyBytes) {
    if (shouldCommit()) {
      lsn = commitLsn;
      store = storeFile;
      space = firstSpace;
      spaces = spaceCount;
      bytes = bodyBytes;
      commit();
    }
  }
}
