package io.varve.grid.guard.resp.command;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.LinkedHashMap;
import java.util.Map;
import org.infinispan.server.core.iteration.IterationManager;

/// The iterations that a connection has begun and that have not ended. Safe for threads.
///
/// (ITERATION-3) They are at most [#ITERATIONS_MAX], and what entries had when they began is at
/// most [#BYTES_MAX] together, or one entry. When another one begins, those end that were not
/// continued for the longest time. Infinispan keeps each one for five minutes: clients that began
/// many took all memory. All end with the connection, as there.
final class Iterations {
  private static final int ITERATIONS_MAX = 64;

  private static final long BYTES_MAX = 32 << 20;

  private static final AttributeKey<Iterations> KEY =
      AttributeKey.valueOf(Iterations.class, "iterations");

  private record Begun(IterationManager manager, long bytes) {}

  /// By their cursors, the one that was continued last at the end. Guarded by this.
  private final Map<String, Begun> begun = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

  private long bytes; // guarded by this
  private boolean hasEnded; // guarded by this

  private Iterations() {}

  /// Those of a connection. Called by its event loop alone.
  static Iterations of(Channel connection) {
    Iterations known = connection.attr(KEY).get();
    if (known != null) {
      return known;
    }
    var iterations = new Iterations();
    connection.attr(KEY).set(iterations);
    connection.closeFuture().addListener(_ -> iterations.close());
    return iterations;
  }

  /// Adds one, which ends immediately if the connection has.
  ///
  /// @param ofBytes that it keeps in memory
  synchronized void begin(String cursor, IterationManager manager, long ofBytes) {
    begun.put(cursor, new Begun(manager, ofBytes));
    bytes += ofBytes;
    while (hasEnded ? !begun.isEmpty() : begun.size() > 1 && isTooMuch()) { // ITERATION-3
      end(begun.keySet().iterator().next(), manager);
    }
  }

  private boolean isTooMuch() {
    return begun.size() > ITERATIONS_MAX || bytes > BYTES_MAX;
  }

  /// Notes that one is continued, if it is of this connection.
  synchronized void use(String cursor) {
    begun.get(cursor);
  }

  /// Ends one, of this connection or another.
  ///
  /// @param manager that has it if it is of another
  synchronized void end(String cursor, IterationManager manager) {
    Begun ended = begun.remove(cursor);
    bytes -= ended == null ? 0 : ended.bytes();
    (ended == null ? manager : ended.manager()).close(cursor);
  }

  private synchronized void close() {
    hasEnded = true;
    begun.forEach((cursor, iteration) -> iteration.manager().close(cursor));
    begun.clear();
    bytes = 0;
  }
}
