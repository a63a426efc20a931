package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.infinispan.AdvancedCache;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// `DEL`, `EXISTS`, `MSET`, `TOUCH` and `UNLINK` of many keys.
///
/// (SLICES-1) After [#SLICE_WORDS_MAX] words of a command its event loop takes what else it has to
/// do. Infinispan carries out the whole command before: a `DEL` of a million absent keys held a
/// loop and all its connections for four seconds. `MGET` ([BoundedReply]) does so as well.
public final class ManyKeysCommand extends ReplacingCommand {
  /// Netty looks at connections after up to 64 tasks: so many calls are some tens of milliseconds.
  private static final int SLICE_WORDS_MAX = 256;

  private ManyKeysCommand(RespCommand command) {
    super(command);
  }

  /// The command itself if it is another one, or one of these.
  public static RespCommand of(RespCommand command) {
    return switch (command.getName()) {
      case "DEL", "EXISTS", "MSET", "TOUCH", "UNLINK" ->
          command instanceof ManyKeysCommand ? command : new ManyKeysCommand(command);
      default -> command;
    };
  }

  /// Makes a call for each slice of some words, one after the other. SLICES-1
  ///
  /// @param executor on which each call but the first begins
  /// @param call is given what the one before it has returned
  static <T> CompletionStage<T> inSlices(
      List<byte[]> words,
      Executor executor,
      T first,
      BiFunction<T, List<byte[]>, CompletionStage<T>> call) {
    int length = Math.min(words.size(), SLICE_WORDS_MAX);
    CompletionStage<T> returned = call.apply(first, words.subList(0, length));
    List<byte[]> rest = words.subList(length, words.size());
    return rest.isEmpty()
        ? returned
        : returned.thenComposeAsync(next -> inSlices(rest, executor, next, call), executor);
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    boolean isMset = getName().equals("MSET");
    if (arguments.size() <= SLICE_WORDS_MAX || (isMset && arguments.size() % 2 != 0)) {
      return performReplaced(handler, ctx, arguments);
    }
    // The list of arguments is that of the next command, once this one has ended.
    List<byte[]> words = List.copyOf(arguments);
    AdvancedCache<byte[], byte[]> cache = handler.cache();
    if (isMset) {
      return handler.stageToReturn(
          counted(words, ctx, slice -> puts(cache, slice)), ctx, ResponseWriter.OK);
    }
    AdvancedCache<byte[], Object> ofEachType = EachType.of(handler);
    Function<byte[], CompletionStage<Boolean>> call =
        switch (getName()) {
          case "EXISTS" -> cache::containsKeyAsync;
          case "TOUCH" -> key -> cache.touch(key, /* touchEvenIfExpired= */ false);
          default -> key -> ofEachType.removeAsync(key).thenApply(old -> old != null);
        };
    return handler.stageToReturn(
        counted(words, ctx, slice -> slice.stream().map(call).toList()),
        ctx,
        ResponseWriter.INTEGER);
  }

  /// Counts the calls that return `true`.
  private static CompletionStage<Long> counted(
      List<byte[]> words,
      ChannelHandlerContext ctx,
      Function<List<byte[]>, List<CompletionStage<Boolean>>> calls) {
    return inSlices(
        words,
        ctx.channel().eventLoop(),
        0L,
        (count, slice) -> count(calls.apply(slice)).thenApply(more -> count + more));
  }

  private static CompletionStage<Long> count(List<CompletionStage<Boolean>> calls) {
    List<CompletableFuture<Boolean>> made =
        calls.stream().map(CompletionStage::toCompletableFuture).toList();
    return CompletableFuture.allOf(made.toArray(CompletableFuture[]::new))
        .thenApply(_ -> made.stream().filter(CompletableFuture::join).count());
  }

  /// A slice has an even number of words.
  private static List<CompletionStage<Boolean>> puts(
      AdvancedCache<byte[], byte[]> cache, List<byte[]> pairs) {
    return IntStream.range(0, pairs.size() / 2)
        .<CompletionStage<Boolean>>mapToObj(pair ->
            cache.putAsync(pairs.get(2 * pair), pairs.get(2 * pair + 1)).thenApply(_ -> true))
        .toList();
  }
}
