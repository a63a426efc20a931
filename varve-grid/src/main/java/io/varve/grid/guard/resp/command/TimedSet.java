package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.infinispan.ExpiryGuard;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.infinispan.AdvancedCache;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.metadata.EmbeddedMetadata;
import org.infinispan.metadata.Metadata;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// `SET` with options, `SETEX` and `PSETEX`.
///
/// (SET-1) `KEEPTTL` leaves a key the time to live that it has when it is written, to the
/// millisecond (EXPIRY-2). Infinispan's own command reads what is left of it and writes that.
/// (SET-2) What a condition has seen is what is replaced: where another client was quicker, it is
/// looked at again. Infinispan's `XX` then does nothing. (SET-3) A time that has passed takes the
/// key away (TIME-2), and a key of any type is replaced.
final class TimedSet {
  private final AdvancedCache<byte[], Object> cache;
  private final byte[] key;
  private final byte[] value;
  private final SetOptions options;

  /// Empty for what the cache gives each entry, which it puts in for all that is left open.
  private final Metadata metadata;

  private TimedSet(Resp3Handler handler, List<byte[]> arguments, SetOptions options) {
    cache = EachType.of(handler);
    key = arguments.getFirst();
    value = arguments.get(1);
    this.options = options;
    metadata = options.time() == null ? EmbeddedMetadata.EMPTY : options.time().metadata();
  }

  /// Carries out a command.
  ///
  /// @param arguments those of `SET`
  /// @param name of the command, for an error
  static CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments, String name) {
    long nowMillis = handler.respServer().getTimeService().wallClockTime();
    SetOptions options = SetOptions.parse(arguments.subList(2, arguments.size()), nowMillis);
    if (options == null) {
      handler.writer().syntaxError();
      return handler.myStage();
    }
    if (options.isTimed() && options.time() == null) {
      handler.writer().customError("invalid expire time in '" + name + "' command");
      return handler.myStage();
    }
    return handler.stageToReturn(
        new TimedSet(handler, arguments, options).write(),
        ctx,
        (Consumer<ResponseWriter> reply, ResponseWriter writer) -> reply.accept(writer));
  }

  private CompletionStage<Consumer<ResponseWriter>> write() {
    if (options.keeps() || options.returnsOld() || options.onlyPresent()) {
      return cache.getCacheEntryAsync(key).thenCompose(this::write);
    }
    if (options.onlyAbsent()) {
      return insert().thenApply(done -> done ? ResponseWriter::ok : ResponseWriter::nulls);
    }
    return cache.putAsync(key, value, metadata).thenApply(_ -> ResponseWriter::ok);
  }

  private CompletionStage<Consumer<ResponseWriter>> write(
      @Nullable CacheEntry<byte[], Object> entry) {
    Object old = entry == null ? null : entry.getValue();
    if (options.returnsOld() && old != null && !(old instanceof byte[])) {
      return CompletableFuture.completedFuture(ResponseWriter::wrongType);
    }
    if (old == null ? options.onlyPresent() : options.onlyAbsent()) {
      return CompletableFuture.completedFuture(reply(old, ResponseWriter::nulls));
    }
    return (old == null ? insert() : replace(old))
        .thenCompose(done ->
            done
                ? CompletableFuture.completedFuture(reply(old, ResponseWriter::ok))
                : write()); // Another client was quicker.
  }

  private CompletionStage<Boolean> insert() {
    return cache.putIfAbsentAsync(key, value, metadata).thenApply(old -> old == null);
  }

  private CompletionStage<Boolean> replace(Object old) {
    return cache.replaceAsync(key, old, value, options.keeps() ? ExpiryGuard.UNCHANGED : metadata);
  }

  private Consumer<ResponseWriter> reply(
      @Nullable Object old, Consumer<ResponseWriter> withoutOld) {
    if (!options.returnsOld()) {
      return withoutOld;
    }
    return old == null ? ResponseWriter::nulls : writer -> writer.string((byte[]) old);
  }
}
