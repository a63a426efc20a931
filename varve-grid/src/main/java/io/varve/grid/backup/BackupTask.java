package io.varve.grid.backup;

import io.varve.grid.guard.connection.AsItself;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.infinispan.manager.ClusterExecutor;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.remoting.transport.Address;
import org.infinispan.util.function.SerializableFunction;
import org.jspecify.annotations.Nullable;

/// Makes a backup of all nodes at one point: every node holds its writes, and when none is under
/// way anywhere, all take theirs. It is the point at which all of them held.
public final class BackupTask {
  /// What clients call it by.
  public static final String NAME = "@@varve@backup";

  private static final Pattern NAMES = Pattern.compile("[A-Za-z0-9_-]{1,100}");

  /// Beyond that of a hold, which decides.
  private static final Duration HOLD_MAX = Duration.ofSeconds(15);

  private static final Duration WRITE_MAX = Duration.ofHours(24);

  /// For the answer of a node to a call, none of which waits.
  private static final long CALL_SECONDS_MAX = 15;

  private static final long PAUSE_MILLIS_MAX = 250;

  private final EmbeddedCacheManager manager;
  private final String name;
  private final String id = UUID.randomUUID().toString();

  private BackupTask(EmbeddedCacheManager manager, String name) {
    this.manager = manager;
    this.name = name;
  }

  /// Makes a backup. Waits until it is on stable storage on each node.
  ///
  /// @param name of the directory of the backup, below that of backups of each node
  /// @return what to answer the client
  /// @throws IllegalArgumentException if the name is none
  /// @throws IllegalStateException if there is no backup, with the reason
  public static String run(EmbeddedCacheManager manager, @Nullable String name) {
    if (name == null || !NAMES.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a backup has a name of letters, digits, - and _ , at most 100: name=" + name);
    }
    return AsItself.call(() -> new BackupTask(manager, name).run());
  }

  private String run() {
    List<Address> members = members();
    try {
      step("hold", step -> BackupCalls.hold(step, id), HOLD_MAX);
      step("take", step -> BackupCalls.take(step, id, name), HOLD_MAX);
      // Each was held until now. So there was a time, after the first and before the last of these
      // answers, at which all had taken theirs and no client wrote.
      Map<String, Long> held = all(BackupCalls.release(id));
      if (held.containsValue(0L)) {
        throw new IllegalStateException(
            "the nodes took too long, or entries move between them; try again");
      }
      if (!members.equals(members()) || held.size() != Math.max(1, members.size())) {
        throw new IllegalStateException("nodes came or went; try again");
      }
      Map<String, Long> bytes = step("write", step -> BackupCalls.write(step, id), WRITE_MAX);
      return bytes.entrySet().stream()
          .map(node -> "node=" + node.getKey() + ", bytes=" + node.getValue())
          .collect(Collectors.joining("\n", "backup " + name + "\n", "\n"));
    } catch (RuntimeException e) {
      discard(e);
      throw e;
    }
  }

  private void discard(RuntimeException failure) {
    try {
      step("discard", step -> BackupCalls.discard(step, id), HOLD_MAX);
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private List<Address> members() {
    return Objects.requireNonNullElse(manager.getMembers(), List.of());
  }

  /// Has all nodes carry out a step, and waits until they have.
  ///
  /// @param begin the call that begins it, by its name
  /// @return the answers by node
  private Map<String, Long> step(
      String step,
      Function<String, SerializableFunction<EmbeddedCacheManager, Long>> begin,
      Duration max) {
    String named = step + " " + id;
    long deadlineNanos = System.nanoTime() + max.toNanos();
    all(begin.apply(named));
    long pauseMillis = 1;
    while (true) {
      Map<String, Long> answers = all(BackupCalls.answer(named));
      if (!answers.containsValue(BackupSteps.UNDER_WAY)) {
        return answers;
      }
      if (System.nanoTime() - deadlineNanos >= 0) {
        throw new IllegalStateException(
            "a node takes too long: step=" + step + ", seconds=" + max.toSeconds());
      }
      pause(pauseMillis);
      pauseMillis = Math.min(2 * pauseMillis, PAUSE_MILLIS_MAX);
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the node stops", e);
    }
  }

  /// Asks all nodes.
  ///
  /// @return the answers by node
  private Map<String, Long> all(SerializableFunction<EmbeddedCacheManager, Long> call) {
    ClusterExecutor executor = manager.executor().timeout(CALL_SECONDS_MAX, TimeUnit.SECONDS);
    Map<String, Long> answers = new ConcurrentHashMap<>();
    Map<String, Throwable> failures = new ConcurrentHashMap<>();
    try {
      executor
          .submitConsumer(
              call,
              (Address node, Long answer, Throwable failure) -> {
                String from = node == null ? "node" : node.toString();
                if (failure == null) {
                  answers.put(from, answer);
                } else {
                  failures.put(from, failure);
                }
              })
          .join();
    } catch (CompletionException e) {
      throw new IllegalStateException("a node does not answer: " + e.getCause(), e);
    }
    if (!failures.isEmpty()) {
      var first = failures.entrySet().iterator().next();
      throw new IllegalStateException(
          "no backup: node=" + first.getKey() + ", reason=" + message(first.getValue()),
          first.getValue());
    }
    return new TreeMap<>(answers);
  }

  private static String message(Throwable failure) {
    Throwable at = failure;
    while (at.getCause() != null) {
      at = at.getCause();
    }
    return String.valueOf(at.getMessage());
  }
}
