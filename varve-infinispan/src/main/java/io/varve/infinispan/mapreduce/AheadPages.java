package io.varve.infinispan.mapreduce;

import io.varve.cache.mapreduce.Part;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// The pages of a part, one of which is made before it is asked for, on a thread of its own
/// (ASK-1). Threads: safe for any number of them.
final class AheadPages {
  private final Part part;

  /// The next page, or its failure, once the first was asked for. Guarded by this.
  private @Nullable CompletableFuture<Reply> ahead;

  AheadPages(Part part) {
    this.part = part;
  }

  /// The next page, if it is made. Does not wait.
  ///
  /// @throws RuntimeException what the part has failed with
  synchronized Reply next() {
    CompletableFuture<Reply> made = ahead;
    if (made == null) {
      made = make();
      ahead = made;
    }
    if (!made.isDone()) {
      return new Reply.UnderWay();
    }
    try {
      Reply page = made.join();
      ahead = page instanceof Reply.Page(byte @Nullable [] bytes) && bytes != null ? make() : made;
      return page;
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private CompletableFuture<Reply> make() {
    return CompletableFuture.supplyAsync(() -> new Reply.Page(part.next()), AheadPages::execute);
  }

  /// Runs what may take as long as a mapper or a combiner takes.
  static void execute(Runnable task) {
    Thread.ofVirtual().name("varve-mapreduce-step").start(task);
  }
}
