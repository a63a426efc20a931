package io.varve.grid.backup;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Map.Entry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;

/// The steps of backups that a node carries out, each on a thread of its own.
///
/// - STEP-1 Neither the begin of a step nor the question for its answer waits. Infinispan calls
///   what another node asks for on a thread that reads what that node sends. A step that waited
///   there for writes waited for answers to them as well, which stood in line after it.
final class BackupSteps {
  /// The answer of a step that has not ended.
  static final long UNDER_WAY = -1;

  /// More than those of the backups that anybody still asks about.
  private static final int STEPS_MAX = 64;

  /// By name, the oldest first. Guarded by itself.
  private final Map<String, CompletableFuture<Long>> answers =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Entry<String, CompletableFuture<Long>> eldest) {
          return size() > STEPS_MAX;
        }
      };

  /// Begins a step.
  ///
  /// @param step gives a number that is not negative, or throws
  void begin(String name, LongSupplier step) {
    var answer = new CompletableFuture<Long>();
    synchronized (answers) {
      answers.put(name, answer);
    }
    Thread.ofPlatform()
        .daemon()
        .name("varve-backup")
        .start(() -> {
          try {
            answer.complete(step.getAsLong());
          } catch (Throwable e) {
            answer.completeExceptionally(e);
          }
        });
  }

  /// What a step gave, or [#UNDER_WAY].
  ///
  /// @throws RuntimeException what it failed with
  /// @throws IllegalStateException if there is no such step: the node has been started since
  long answer(String name) {
    CompletableFuture<Long> answer;
    synchronized (answers) {
      answer = answers.get(name);
    }
    if (answer == null) {
      throw new IllegalStateException("the backup has ended; begin another");
    }
    try {
      return answer.getNow(UNDER_WAY);
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }
}
