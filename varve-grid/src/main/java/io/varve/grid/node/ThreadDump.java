package io.varve.grid.node;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the threads of this process do, as text for the log.
final class ThreadDump {
  private ThreadDump() {}

  static String text() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> thread.getValue().length > 0)
        .map(ThreadDump::text)
        .collect(Collectors.joining("\n\n"));
  }

  private static String text(Map.Entry<Thread, StackTraceElement[]> thread) {
    return thread.getKey().getName()
        + ", "
        + thread.getKey().getState()
        + "\n"
        + Stream.of(thread.getValue())
            .map(frame -> "  at " + frame)
            .collect(Collectors.joining("\n"));
  }
}
