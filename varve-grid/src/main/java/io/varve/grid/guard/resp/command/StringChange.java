package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.infinispan.ExpiryGuard;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.infinispan.AdvancedCache;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// A change of a string of RESP by what it is: a counter, or one that grows.
///
/// (STRING-1) Each change is made once, of the value that is there: another client's change between
/// read and write has it made again. (STRING-2) The entry expires when it would have, as at Redis,
/// also where another client sets that time between read and write (EXPIRY-3). Infinispan's own
/// commands take it away.
final class StringChange {
  /// What a value becomes, or why it stays.
  sealed interface Outcome {
    record Changed(byte[] bytes) implements Outcome {}

    record Unchanged(Consumer<ResponseWriter> reply) implements Outcome {}
  }

  private final Resp3Handler handler;
  private final byte[] key;
  private final Function<byte @Nullable [], Outcome> change;

  private StringChange(
      Resp3Handler handler, byte[] key, Function<byte @Nullable [], Outcome> change) {
    this.handler = handler;
    this.key = key;
    this.change = change;
  }

  /// Makes a change, and answers with what came of it.
  ///
  /// @param change of the value, null if there is none; called again if another client was quicker
  /// @param reply writes the reply for the new value
  static CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler,
      ChannelHandlerContext ctx,
      byte[] key,
      Function<byte @Nullable [], Outcome> change,
      BiConsumer<byte[], ResponseWriter> reply) {
    return handler.stageToReturn(
        new StringChange(handler, key, change).make(),
        ctx,
        (outcome, writer) -> {
          switch (outcome) {
            case Outcome.Changed(var bytes) -> reply.accept(bytes, writer);
            case Outcome.Unchanged(var why) -> why.accept(writer);
          }
        });
  }

  private CompletionStage<Outcome> make() {
    return handler.cache().getCacheEntryAsync(key).thenCompose(this::make);
  }

  private CompletionStage<Outcome> make(@Nullable CacheEntry<byte[], byte[]> entry) {
    Outcome outcome = change.apply(entry == null ? null : entry.getValue());
    if (!(outcome instanceof Outcome.Changed(var bytes))) {
      return CompletableFuture.completedFuture(outcome);
    }
    return write(entry, bytes)
        .thenCompose(written -> written ? CompletableFuture.completedFuture(outcome) : make());
  }

  /// Whether the entry was still as it had been read, and so is written.
  private CompletionStage<Boolean> write(@Nullable CacheEntry<byte[], byte[]> entry, byte[] bytes) {
    AdvancedCache<byte[], byte[]> cache = handler.cache();
    return entry == null
        ? cache.putIfAbsentAsync(key, bytes).thenApply(there -> there == null)
        : cache.replaceAsync(key, entry.getValue(), bytes, ExpiryGuard.UNCHANGED);
  }
}
