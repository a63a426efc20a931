package io.varve.grid.guard.login;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// The logins that failed, in the log and as figures. Safe for threads.
///
/// - FAILED-1 The first of an address by a protocol has a line. All that follow are counted, and
///   have one line in each [#SECONDS] together. So no client fills a disk, and the counts of all
///   lines are all logins that failed.
/// - FAILED-2 A line has nothing that a client has sent: neither a name nor a password.
public final class FailedLogins {
  static final int SECONDS = 10;

  /// Which have lines of their own at a time. The others share one.
  private static final int SOURCES_MAX = 50;

  private static final String OTHERS = "others";

  private final Map<LoginProtocol, LongAdder> counts =
      Arrays.stream(LoginProtocol.values())
          .collect(Collectors.toUnmodifiableMap(protocol -> protocol, _ -> new LongAdder()));

  private final Executor later;
  private final Consumer<String> log;

  /// Those that are not in a line yet. Guarded by itself, as is the flag.
  private final Map<Source, Integer> unwritten = new LinkedHashMap<>();

  private boolean ends; // what was counted is written later

  private record Source(String address, String protocol) {}

  /// @param later carries a task out after [#SECONDS]
  /// @param log takes a line
  FailedLogins(Executor later, Consumer<String> log) {
    this.later = later;
    this.log = log;
  }

  /// Counts a login that failed.
  void add(String address, LoginProtocol protocol) {
    count(protocol).increment();
    Source source = new Source(address, protocol.label());
    synchronized (unwritten) {
      if (!unwritten.containsKey(source) && unwritten.size() >= SOURCES_MAX) {
        source = new Source(OTHERS, OTHERS);
      }
      if (unwritten.containsKey(source)) {
        unwritten.merge(source, 1, Integer::sum);
      } else {
        unwritten.put(source, 0);
        write(source, 1);
      }
      writeLater();
    }
  }

  private void writeLater() {
    if (!ends) {
      ends = true;
      later.execute(this::endInterval);
    }
  }

  private void endInterval() {
    synchronized (unwritten) {
      ends = false;
      for (Iterator<Map.Entry<Source, Integer>> at = unwritten.entrySet().iterator();
          at.hasNext(); ) {
        Map.Entry<Source, Integer> counted = at.next();
        if (counted.getValue() == 0) {
          at.remove(); // It has stopped, and its next failure is a first one.
        } else {
          write(counted.getKey(), counted.getValue());
          counted.setValue(0);
        }
      }
      if (!unwritten.isEmpty()) {
        writeLater();
      }
    }
  }

  private void write(Source source, int count) {
    log.accept(
        "logins failed: peer="
            + source.address()
            + ", protocol="
            + source.protocol()
            + ", count="
            + count
            + "; look who asks, if it is often");
  }

  /// How many have failed by a protocol.
  public LongAdder count(LoginProtocol protocol) {
    return Objects.requireNonNull(counts.get(protocol));
  }
}
