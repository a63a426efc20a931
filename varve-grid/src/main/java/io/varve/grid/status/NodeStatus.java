package io.varve.grid.status;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Map.Entry;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The phase of a node and figures of its progress, as of now. Each change of phase is logged, and
/// progress within a phase every ten seconds.
///
/// - STATUS-1 A node in a phase in which it moves without others, and of which nothing has changed
///   for [#STUCK_AFTER], is stuck. A change of phase or of any figure is progress.
/// - STATUS-2 A node that is ready counts as alive while its threads take work.
///
/// Safe for threads.
public final class NodeStatus {
  /// Longer than any part of a start that shows no figures: a recovery replays a log whose length
  /// checkpoints bound.
  public static final Duration STUCK_AFTER = Duration.ofMinutes(10);

  private static final System.Logger LOGGER = System.getLogger(NodeStatus.class.getName());

  private static final long LOG_NANOS = Duration.ofSeconds(10).toNanos();

  private final LongSupplier nanoClock;
  private final long beginNanos;

  // Guarded by this.
  private Phase phase = Phase.STARTING;
  private Map<String, Object> figures = Map.of();
  private long phaseNanos;
  private long progressNanos;
  private long loggedNanos;

  private volatile BooleanSupplier working = () -> true;

  /// The status of a node that begins to start.
  public NodeStatus() {
    this(System::nanoTime);
  }

  /// The same by another clock, in nanoseconds.
  public NodeStatus(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.beginNanos = nanoClock.getAsLong();
    this.phaseNanos = beginNanos;
    this.progressNanos = beginNanos;
    this.loggedNanos = beginNanos;
  }

  /// A status at one time.
  ///
  /// @param figures numbers, and collections of names, in their order
  /// @param sinceBegin since the node began to start
  /// @param inPhase since the phase began
  /// @param sinceProgress since the phase or a figure last changed
  public record Snapshot(
      Phase phase,
      Map<String, Object> figures,
      Duration sinceBegin,
      Duration inPhase,
      Duration sinceProgress) {
    /// Whether the node should have moved since, and has not (STATUS-1).
    public boolean isStuck() {
      return phase.mustProgress() && sinceProgress.compareTo(STUCK_AFTER) >= 0;
    }

    @Override
    public String toString() {
      return "phase="
          + phase.label()
          + ", elapsed="
          + "%.1f s".formatted(sinceBegin.toMillis() / 1e3)
          + figures.entrySet().stream()
              .map(figure -> ", " + figure.getKey() + "=" + figure.getValue())
              .collect(Collectors.joining());
    }
  }

  /// Records where the node is.
  ///
  /// @param now figures of the progress: numbers, and collections of names
  public void enter(Phase next, Map<String, Object> now) {
    Snapshot logged = change(next, now);
    if (logged != null) {
      LOGGER.log(System.Logger.Level.INFO, logged.toString());
    }
  }

  /// Records that the node serves clients.
  ///
  /// @param stillWorking asks whether its threads take work; may wait some seconds for them
  public void ready(BooleanSupplier stillWorking) {
    working = stillWorking;
    enter(Phase.READY, Map.of());
  }

  /// What is to be logged of a change, if anything is.
  private synchronized @Nullable Snapshot change(Phase next, Map<String, Object> now) {
    long nanos = nanoClock.getAsLong();
    boolean samePhase = next == phase;
    if (samePhase && figures.equals(now)) {
      return null;
    }
    progressNanos = nanos;
    figures = new LinkedHashMap<>(now);
    if (samePhase && nanos - loggedNanos < LOG_NANOS) {
      return null;
    }
    loggedNanos = nanos;
    if (!samePhase) {
      phase = next;
      phaseNanos = nanos;
    }
    return snapshot();
  }

  /// The status as of now.
  public synchronized Snapshot snapshot() {
    long nanos = nanoClock.getAsLong();
    return new Snapshot(
        phase,
        figures,
        Duration.ofNanos(nanos - beginNanos),
        Duration.ofNanos(nanos - phaseNanos),
        Duration.ofNanos(nanos - progressNanos));
  }

  /// Whether there is no reason to end the process: it starts and is not stuck, or it is ready and
  /// works, or it stops. May wait some seconds for its threads.
  public boolean isAlive() {
    Snapshot now = snapshot();
    return !now.isStuck() && (now.phase() != Phase.READY || working.getAsBoolean());
  }

  /// Whether clients are served. May wait some seconds for its threads.
  public boolean isReady() {
    return snapshot().phase() == Phase.READY && working.getAsBoolean();
  }

  /// The figures that are numbers: names of caches are for the log alone.
  static Map<String, Object> numbers(Snapshot snapshot) {
    Map<String, Object> numbers = new LinkedHashMap<>();
    for (Entry<String, Object> figure : snapshot.figures().entrySet()) {
      if (!(figure.getValue() instanceof Collection<?>)) {
        numbers.put(figure.getKey(), figure.getValue());
      }
    }
    return numbers;
  }
}
