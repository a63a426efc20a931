package io.varve.grid.guard.resp.command;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/// Has calls of several steps that begin with one key of a cache follow each other, in a process.
///
/// (QUEUE-1) A call begins when the one of its key that came before has ended, however that was. No
/// thread waits for it. (QUEUE-2) A key is here while calls of it are under way. So there are at
/// most as many keys as connections, each of which has one call at a time.
///
/// **Threads:** safe for any number of them.
final class KeyQueue {
  /// Of commands that take something from one key and give it to another, or to a client.
  static final KeyQueue MOVES = new KeyQueue();

  private record Name(String cache, ByteBuffer key) {}

  private final ConcurrentMap<Name, CompletableFuture<Void>> last = new ConcurrentHashMap<>();

  /// Makes a call when all of its key that came before have ended.
  ///
  /// @param cache its name
  /// @param executor on which it begins if it has to wait: the stack would grow by each call else
  <T> CompletionStage<T> next(
      String cache, byte[] key, Executor executor, Supplier<CompletionStage<T>> call) {
    Name name = new Name(cache, ByteBuffer.wrap(key));
    var ended = new CompletableFuture<Void>();
    CompletableFuture<Void> before = last.put(name, ended);
    CompletionStage<T> result =
        before == null ? begun(call) : before.thenComposeAsync(_ -> begun(call), executor);
    return result.whenComplete((_, _) -> {
      last.remove(name, ended); // QUEUE-2
      ended.complete(null);
    });
  }

  private static <T> CompletionStage<T> begun(Supplier<CompletionStage<T>> call) {
    try {
      return call.get();
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
