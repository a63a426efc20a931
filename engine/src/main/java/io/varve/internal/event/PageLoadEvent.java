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

/// An image that was read from the page file, checked, decrypted and decompressed.
@Name("io.varve.PageLoad")
@Label("Page Load")
@Category("Varve")
@Description("A page read from the page file, checked, decrypted and decompressed")
@Threshold("1 ms")
@StackTrace(false)
public final class PageLoadEvent extends Event {
  private static final PageLoadEvent PROBE = new PageLoadEvent();

  @Label("Store")
  @Description("Page file of the store")
  private @Nullable String store;

  @Label("Kind")
  @Description("LEAF, INNER, or a part of a large value or of the catalog")
  private @Nullable String kind;

  @Label("Offset")
  @Description("Place in the page file, in bytes from its start")
  private long offset;

  @Label("Bytes")
  @Description("As stored")
  @DataAmount
  private long bytes;

  private PageLoadEvent() {}

  /// Begins an event; null if nobody records it.
  static @Nullable PageLoadEvent start() {
    if (!PROBE.isEnabled()) {
      return null;
    }
    PageLoadEvent event = new PageLoadEvent();
    event.begin();
    return event;
  }

  /// Ends the event.
  public void loaded(String storeFile, String kindName, long fileOffset, long storedBytes) {
    if (shouldCommit()) {
      store = storeFile;
      kind = kindName;
      offset = fileOffset;
      bytes = storedBytes;
      commit();
    }
  }
}
