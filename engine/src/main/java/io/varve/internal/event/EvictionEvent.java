package io.varve.internal.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Throttle;

/// A clean page that left memory for others. Takes no time; there may be a million in a second, so
/// a share of them is recorded.
@Name("io.varve.Eviction")
@Label("Page Eviction")
@Category("Varve")
@Description("A clean page that left memory for others; throttled")
@Throttle("100/s")
@StackTrace(false)
public final class EvictionEvent extends Event {
  private static final EvictionEvent PROBE = new EvictionEvent();

  @Label("Level")
  @Description("0 for a leaf, one more than its children for an inner page")
  private int level;

  @Label("Offset")
  @Description("Place in the page file, in bytes from its start")
  private long offset;

  @Label("Cache")
  @Description("Pages in memory, when it left")
  @DataAmount
  private long cacheBytes;

  private EvictionEvent() {}

  /// Whether anybody records these events.
  static boolean isOn() {
    return PROBE.isEnabled();
  }

  /// Makes one, to be recorded when no lock is held.
  public static EvictionEvent of(int pageLevel, long fileOffset, long bytesInCache) {
    EvictionEvent event = new EvictionEvent();
    event.level = pageLevel;
    event.offset = fileOffset;
    event.cacheBytes = bytesInCache;
    return event;
  }

  /// Records it, or, of too many, leaves it out.
  public void record() {
    if (shouldCommit()) {
      commit();
    }
  }
}
