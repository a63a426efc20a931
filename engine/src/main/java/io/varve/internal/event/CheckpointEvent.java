package io.varve.internal.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/// A write of all dirty pages: a checkpoint, or a spill between two.
@Name("io.varve.Checkpoint")
@Label("Checkpoint")
@Category("Varve")
@Description("A write of all dirty pages: a checkpoint, or a spill between two")
@StackTrace(false)
public final class CheckpointEvent extends Event {
  private static final CheckpointEvent PROBE = new CheckpointEvent();

  @Label("Store")
  @Description("Page file of the store")
  private @Nullable String store;

  @Label("Kind")
  @Description("CHECKPOINT; SPILL, which makes nothing durable; FINAL, that of a clean close")
  private @Nullable String kind;

  @Label("LSN")
  @Description("The last commit that it holds")
  private long lsn;

  @Label("Bytes")
  @Description("Pages written")
  @DataAmount
  private long bytes;

  private CheckpointEvent() {}

  /// Begins an event; null if nobody records it.
  static @Nullable CheckpointEvent start() {
    if (!PROBE.isEnabled()) {
      return null;
    }
    CheckpointEvent event = new CheckpointEvent();
    event.begin();
    return event;
  }

  /// Ends the event.
  public void written(String storeFile, String kindName, long lastLsn, long pageBytes) {
    if (shouldCommit()) {
      store = storeFile;
      kind = kindName;
      lsn = lastLsn;
      bytes = pageBytes;
      commit();
    }
  }
}
