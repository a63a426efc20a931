package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.infinispan.commons.util.concurrent.CompletableFutures;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.infinispan.multimap.impl.EmbeddedMultimapListCache;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.RespUtil;
import org.infinispan.server.resp.commands.ArgumentUtils;
import org.infinispan.server.resp.serialization.Resp3Type;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.infinispan.server.resp.tx.TransactionContext;
import org.jspecify.annotations.Nullable;

/// `BLPOP`, `BRPOP` and `BLMPOP`: take elements of the first of some lists that has any, and wait
/// for one if there is none ([BlockedClient]). In a transaction they do not wait.
///
/// Infinispan's own commands wait on for a connection that has ended, and take the next element for
/// it. An element that they take as the time of a client ends is given to no client, either. Its
/// `BLMPOP` takes as many elements as there are keys, and answers no array of them.
///
/// (BLOCKED-1) What was taken for a connection that has ended since goes back to where it was. In a
/// transaction it does not, as what other commands of it have done stays, too.
final class BlockingPop extends ReplacingCommand {
  private static final double TIMEOUT_SECONDS_MAX = 1e12; // some thousand years

  private final boolean isOfCount;

  private BlockingPop(RespCommand command) {
    super(command);
    isOfCount = getName().equals("BLMPOP");
  }

  /// The command itself if it takes nothing and waits for nothing, or is one of these.
  static RespCommand of(RespCommand command) {
    return switch (command.getName()) {
      case "BLPOP", "BRPOP", "BLMPOP" ->
          command instanceof BlockingPop ? command : new BlockingPop(command);
      default -> command;
    };
  }

  /// What a client wants.
  ///
  /// @param timeoutMillis 0 for no end
  private record Wanted(List<byte[]> keys, boolean fromLeft, long count, long timeoutMillis) {}

  /// What a client gets of a list.
  private record Taken(
      EmbeddedMultimapListCache<byte[], byte[]> lists,
      byte[] key,
      Collection<byte[]> elements,
      boolean fromLeft) {
    /// BLOCKED-1
    CompletionStage<Void> putBack() {
      Iterator<byte[]> lastFirst = List.copyOf(elements).reversed().iterator();
      return CompletionStages.performSequentially(
          lastFirst,
          element -> fromLeft ? lists.offerFirst(key, element) : lists.offerLast(key, element));
    }
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    Wanted wanted;
    try {
      wanted = isOfCount ? ofCount(arguments) : ofOne(arguments);
    } catch (IllegalArgumentException e) {
      handler.writer().customError(e.getMessage());
      return handler.myStage();
    }
    EmbeddedMultimapListCache<byte[], byte[]> lists = handler.getListMultimap();
    CompletionStage<@Nullable Taken> taken = take(lists, wanted, /* waits= */ false);
    CompletionStage<@Nullable Taken> awaited =
        TransactionContext.isInTransactionContext(ctx)
            ? taken
            : taken.thenCompose(first ->
                first == null
                    ? BlockedClient.wait(
                        handler,
                        ctx,
                        wanted.keys(),
                        wanted.timeoutMillis(),
                        () -> take(lists, wanted, /* waits= */ true))
                    : CompletableFuture.completedFuture(first));
    return handler.stageToReturn(awaited, ctx, answer(ctx));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // No client waits for what is put back.
  private BiConsumer<@Nullable Taken, ResponseWriter> answer(ChannelHandlerContext ctx) {
    return (taken, writer) -> {
      if (taken == null) {
        writer.nulls();
      } else if (!ctx.channel().isActive() && !TransactionContext.isInTransactionContext(ctx)) {
        taken.putBack(); // BLOCKED-1
      } else if (isOfCount) {
        writer.arrayStart(2);
        writer.string(taken.key());
        writer.array(taken.elements(), Resp3Type.BULK_STRING);
      } else {
        writer.array(
            List.of(taken.key(), taken.elements().iterator().next()), Resp3Type.BULK_STRING);
      }
    };
  }

  private static CompletionStage<@Nullable Taken> take(
      EmbeddedMultimapListCache<byte[], byte[]> lists, Wanted wanted, boolean waits) {
    return take(lists, wanted, wanted.keys().iterator(), waits);
  }

  /// Takes elements of the first list that has any; null if none has.
  ///
  /// @param waits whether the client waits: a key of another type is then one without elements
  private static CompletionStage<@Nullable Taken> take(
      EmbeddedMultimapListCache<byte[], byte[]> lists,
      Wanted wanted,
      Iterator<byte[]> keys,
      boolean waits) {
    if (!keys.hasNext()) {
      return CompletableFuture.completedFuture(null);
    }
    byte[] key = keys.next();
    return lists
        .poll(key, wanted.count(), wanted.fromLeft())
        .exceptionally(failure -> {
          if (waits && RespUtil.isWrongTypeError(failure)) {
            return List.of();
          }
          throw CompletableFutures.asCompletionException(failure);
        })
        .thenCompose(elements ->
            elements == null || elements.isEmpty()
                ? take(lists, wanted, keys, waits)
                : CompletableFuture.completedFuture(
                    new Taken(lists, key, elements, wanted.fromLeft())));
  }

  /// `key [key ...] timeout`
  private Wanted ofOne(List<byte[]> arguments) {
    int last = arguments.size() - 1;
    return new Wanted(
        List.copyOf(arguments.subList(0, last)),
        getName().equals("BLPOP"),
        1,
        timeoutMillis(arguments.get(last)));
  }

  /// `timeout numkeys key [key ...] LEFT|RIGHT [COUNT count]`
  private static Wanted ofCount(List<byte[]> arguments) {
    long timeoutMillis = timeoutMillis(arguments.getFirst());
    long keys = positive(arguments.get(1), "numkeys");
    if (keys > arguments.size() - 3) {
      throw new IllegalArgumentException("syntax error");
    }
    int end = 2 + (int) keys;
    String side = word(arguments.get(end));
    List<byte[]> options = arguments.subList(end + 1, arguments.size());
    boolean hasCount = options.size() == 2 && word(options.getFirst()).equals("COUNT");
    if (!(side.equals("LEFT") || side.equals("RIGHT")) || !(options.isEmpty() || hasCount)) {
      throw new IllegalArgumentException("syntax error");
    }
    return new Wanted(
        List.copyOf(arguments.subList(2, end)),
        side.equals("LEFT"),
        hasCount ? positive(options.get(1), "count") : 1,
        timeoutMillis);
  }

  private static String word(byte[] argument) {
    return new String(argument, StandardCharsets.US_ASCII).toUpperCase(Locale.ROOT);
  }

  private static long positive(byte[] argument, String name) {
    try {
      long number = ArgumentUtils.toLong(argument);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException _) {
      // It is answered as a number that is too low.
    }
    throw new IllegalArgumentException(name + " should be greater than 0");
  }

  private static long timeoutMillis(byte[] argument) {
    double seconds;
    try {
      seconds = ArgumentUtils.toDouble(argument);
    } catch (NumberFormatException _) {
      throw new IllegalArgumentException("timeout is not a float or out of range");
    }
    if (seconds < 0) {
      throw new IllegalArgumentException("timeout is negative");
    }
    if (!(seconds <= TIMEOUT_SECONDS_MAX)) {
      throw new IllegalArgumentException("timeout is not a float or out of range");
    }
    return (long) Math.ceil(seconds * 1_000); // 0 would be no end
  }
}
