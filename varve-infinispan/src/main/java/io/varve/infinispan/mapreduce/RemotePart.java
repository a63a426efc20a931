package io.varve.infinispan.mapreduce;

import io.varve.cache.mapreduce.MapFigures;
import io.varve.cache.mapreduce.Pages;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.infinispan.commons.util.IntSet;
import org.infinispan.commons.util.IntSets;
import org.infinispan.manager.ClusterExecutor;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.remoting.transport.Address;
import org.infinispan.remoting.transport.jgroups.SuspectException;
import org.infinispan.util.function.SerializableFunction;
import org.jspecify.annotations.Nullable;

/// A part of a job on some node, maybe this one, as its leader sees it. One call is under way at a
/// time. For the thread of the leader, except the figures.
final class RemotePart implements Pages {
  /// How often a thread that waits for an answer looks whether this node has stopped.
  static final int STOP_LOOK_SECONDS = 1;

  /// Before a question is asked again, at first.
  private static final long PAUSE_MILLIS_MIN = 1;

  /// Also between two looks at how far parts are: a job may take so much longer than its parts.
  private static final long PAUSE_MILLIS_MAX = 50;

  private final String id = UUID.randomUUID().toString();
  private final EmbeddedCacheManager manager;
  private final @Nullable Address node; // null if there is but this one

  /// Those that it maps, as far as is known; once it has mapped, for certain.
  private final IntSet segments;

  /// The call that is under way, or was last; it does not fail.
  private CompletableFuture<Reply> last = CompletableFuture.completedFuture(new Reply.Closed());

  private boolean areAhead; // whether that call is for a page
  private volatile MapFigures figures = MapFigures.NONE;
  private boolean isMapped;

  /// @param segments that it is to map, which it takes over
  RemotePart(EmbeddedCacheManager manager, @Nullable Address node, IntSet segments) {
    this.manager = manager;
    this.node = node;
    this.segments = segments;
  }

  /// Begins a call. What fails on the way is a node that leaves, until its members show otherwise.
  private void call(SerializableFunction<EmbeddedCacheManager, byte[]> function) {
    requireRunning(manager);
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    ask(function, reply, PAUSE_MILLIS_MIN);
    last =
        reply.exceptionally(failure -> isGone(failure) ? new Reply.Leaving() : unanswered(failure));
  }

  /// Asks, and again after a pause while the answer is that something is under way.
  private void ask(
      SerializableFunction<EmbeddedCacheManager, byte[]> function,
      CompletableFuture<Reply> reply,
      long pauseMillis) {
    try {
      CompletableFuture<?> _ = // what it returns, the reply has
          executor()
              .submitConsumer(
                  function,
                  (_, bytes, failure) -> {
                    if (failure != null) {
                      reply.completeExceptionally(failure);
                    } else if (Reply.of(bytes) instanceof Reply.UnderWay) {
                      CompletableFuture.delayedExecutor(pauseMillis, TimeUnit.MILLISECONDS)
                          .execute(() -> ask(function, reply, longer(pauseMillis)));
                    } else {
                      reply.complete(Reply.of(bytes));
                    }
                  })
              .whenComplete((_, failure) -> {
                if (failure != null) {
                  reply.completeExceptionally(failure);
                }
              });
    } catch (RuntimeException e) { // as where this node stops between two questions
      reply.completeExceptionally(e);
    }
  }

  private ClusterExecutor executor() {
    ClusterExecutor executor = manager.executor();
    return node == null ? executor : executor.filterTargets(List.of(node));
  }

  /// The pause after one.
  static long longer(long pauseMillis) {
    return Math.clamp(2 * pauseMillis, PAUSE_MILLIS_MIN, PAUSE_MILLIS_MAX);
  }

  /// Whether no answer came since the node has left. The members that this node knows may still
  /// have it when the call fails.
  private boolean isGone(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SuspectException) {
        return true;
      }
    }
    return !isMember();
  }

  private static Reply unanswered(Throwable failure) {
    return new Reply.Failed("no answer: " + failure);
  }

  /// Whether the node is in the cluster, as far as this one knows.
  boolean isMember() {
    List<Address> members = manager.getMembers();
    return node == null || members == null || members.contains(node);
  }

  /// Asks the node to start, and does not wait.
  void start(String cacheName, byte[] plan) {
    call(NodeCalls.start(id, cacheName, manager.getAddress(), segments.toBitSet(), plan));
  }

  /// Asks how far it is, and does not wait.
  void poll() {
    call(NodeCalls.poll(id));
  }

  /// Waits for the answer to [#start] or [#poll].
  ///
  /// @return segments that it does not map after all, which it so has no longer: all of them if its
  ///   node leaves, and some when it has mapped and others own them
  /// @throws ClusterJobException if it has failed
  IntSet awaitLost() throws InterruptedException {
    return switch (answer()) {
      case Reply.Running running -> {
        figures = running.figures();
        isMapped = running.isMapped();
        yield isMapped ? give(running.lost()) : IntSets.immutableEmptySet();
      }
      case Reply.Leaving _ -> give(segments);
      case Reply.Failed failed -> throw failure(failed);
      case Reply.Page _, Reply.Closed _, Reply.UnderWay _ ->
          throw new IllegalStateException("no such answer");
    };
  }

  /// Takes segments from it.
  ///
  /// @return the same
  private IntSet give(IntSet lost) {
    IntSet given = IntSets.mutableCopyFrom(lost);
    segments.removeAll(given);
    return given;
  }

  /// Takes all segments from it, for a node that has left.
  IntSet giveAll() {
    return give(segments);
  }

  private Reply answer() throws InterruptedException {
    while (true) {
      try {
        return last.get(STOP_LOOK_SECONDS, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        requireRunning(manager);
      } catch (ExecutionException e) {
        throw new ClusterJobException("a call has no answer: node=" + node, e.getCause());
      }
    }
  }

  /// Nothing ends a call whose answer is in flight when this node stops.
  static void requireRunning(EmbeddedCacheManager manager) {
    if (!manager.getStatus().allowInvocations()) {
      throw new ClusterJobException("the node that leads the job has stopped");
    }
  }

  private ClusterJobException failure(Reply.Failed failed) {
    requireRunning(manager); // it fails all calls when it stops
    return new ClusterJobException(
        "a job has failed on a node: node=" + node + ", error=" + failed.stackTrace());
  }

  /// Takes the next page, while the one after it is in flight.
  @Override
  public byte @Nullable [] next() {
    if (!areAhead) {
      call(NodeCalls.page(id));
    }
    try {
      return switch (answer()) {
        case Reply.Page(byte @Nullable [] page) -> {
          areAhead = page != null;
          if (areAhead) {
            call(NodeCalls.page(id));
          }
          yield page;
        }
        case Reply.Failed failed -> throw failure(failed);
        case Reply.Leaving _, Reply.Running _, Reply.Closed _, Reply.UnderWay _ ->
            throw new ClusterJobException(
                "a node has left while results were read from it: node="
                    + node
                    + "; run the job again, some of its results may be taken already");
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while a page was in flight");
    }
  }

  /// Asks the node to end it once it has answered what it was asked before.
  ///
  /// @return completes when nothing of it is left, or the node has left; maybe never, or with a
  ///   failure, when this node stops, and then other nodes end what they have of the job
  CompletableFuture<Reply> close() {
    return last.thenCompose(_ -> {
      call(NodeCalls.close(id));
      return last;
    });
  }

  /// What it maps, as far as is known.
  IntSet segments() {
    return segments;
  }

  boolean isMapped() {
    return isMapped;
  }

  MapFigures figures() {
    return figures;
  }
}
