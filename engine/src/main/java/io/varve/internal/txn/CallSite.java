package io.varve.internal.txn;

import io.varve.Store;
import java.lang.StackWalker.StackFrame;
import org.jspecify.annotations.Nullable;

/// Finds the code that called Varve.
final class CallSite {
  private static final String API = Store.class.getPackageName();
  private static final String INTERNALS = API + ".internal.";

  private CallSite() {}

  /// The innermost frame of the calling thread outside of Varve, or null if there is none.
  static @Nullable StackTraceElement ofCaller() {
    return StackWalker.getInstance()
        .walk(frames -> frames.filter(frame -> !isOurs(frame)).findFirst())
        .map(StackFrame::toStackTraceElement)
        .orElse(null);
  }

  private static boolean isOurs(StackFrame frame) {
    String name = frame.getClassName();
    return name.startsWith(INTERNALS)
        || name.substring(0, Math.max(0, name.lastIndexOf('.'))).equals(API);
  }
}
