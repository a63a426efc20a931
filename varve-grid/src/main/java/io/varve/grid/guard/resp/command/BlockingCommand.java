package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.Connection;
import io.varve.grid.guard.entry.EntryLength;
import io.varve.grid.guard.resp.format.RespNumbers;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.commands.ArgumentUtils;
import org.infinispan.server.resp.commands.Resp3Command;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.infinispan.server.resp.tx.TransactionContext;
import org.jspecify.annotations.Nullable;

/// A command that takes something of the first of some keys that has any, and waits for it if there
/// is none ([BlockedClient]). In a transaction it does not wait.
///
/// (BLOCKED-1) What was taken for a connection that has ended since goes back to where it was, and
/// expires when it would have. So does what was taken for a client that had to wait, and has ended
/// its output since. In a transaction it does not, as what other commands of it have done stays,
/// too.
///
/// @param <T> what a client is given
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
public abstract class BlockingCommand<T> extends RespCommand implements Resp3Command {
  private static final double TIMEOUT_SECONDS_MAX = 1e12; // some thousand years

  /// As many as a connection may have channels (CHANNELS-1): each write to the cache is compared
  /// with the keys of each client that waits.
  static final int KEYS_MAX = 1_024;

  static final String TOO_MANY_KEYS = "too many keys: max=" + KEYS_MAX + "; name fewer";

  private final BlockedKeys.Kind kind;

  /// @param description has the name, the arity, the keys and the rights
  BlockingCommand(Description description, BlockedKeys.Kind kind) {
    super(
        description.name,
        description.arity,
        description.firstKey,
        description.lastKey,
        description.firstKey == 0 ? 0 : 1,
        description.aclMask);
    this.kind = kind;
  }

  /// What a command is called, how many words it has, and where its keys are.
  record Description(String name, int arity, int firstKey, int lastKey, long aclMask) {
    /// That of a command of Infinispan.
    static Description of(RespCommand command) {
      return new Description(
          command.getName(),
          command.getArity(),
          command.getFirstKeyPos(),
          command.getLastKeyPos(),
          command.aclMask());
    }
  }

  /// What the arguments ask for.
  ///
  /// @throws IllegalArgumentException with the error that is answered
  abstract BlockedClient.Wanted<T> wanted(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments);

  /// Asks for what `take` takes of each key, with the collection as it was found before.
  BlockedClient.Wanted<T> wanted(
      Resp3Handler handler,
      Counted counted,
      Function<byte[], CompletionStage<@Nullable T>> take,
      BiFunction<T, @Nullable CacheEntry<byte[], Object>, T> with) {
    return new BlockedClient.Wanted<>(
        kind,
        counted.keys(),
        counted.timeoutMillis(),
        List.of(),
        key ->
            EntryLength.read(handler, key)
                .thenCompose(before ->
                    take.apply(key)
                        .thenApply(taken -> taken == null ? null : with.apply(taken, before))));
  }

  /// Writes the reply.
  abstract void reply(T taken, ResponseWriter writer);

  /// Puts what was taken back. BLOCKED-1
  abstract void putBack(Resp3Handler handler, T taken);

  /// Ends when the clients that wait for what the command has added were offered it. SERVING-1
  CompletionStage<Void> served(T taken) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public final CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    BlockedClient.Wanted<T> wanted;
    try {
      wanted = wanted(handler, ctx, arguments);
    } catch (IllegalArgumentException e) {
      handler.writer().customError(e.getMessage());
      return handler.myStage();
    }
    if (wanted.keys().size() > KEYS_MAX) {
      handler.writer().customError(TOO_MANY_KEYS);
      return handler.myStage();
    }
    boolean waits = !TransactionContext.isInTransactionContext(ctx);
    CompletionStage<@Nullable T> taken = take(handler, wanted, waits);
    CompletionStage<@Nullable T> awaited =
        waits
            ? taken.thenCompose(first ->
                first == null
                    ? await(handler, ctx, wanted)
                    : CompletableFuture.completedFuture(first))
            : taken;
    return handler.stageToReturn(
        awaited.thenCompose(found ->
            found == null || !waits
                ? CompletableFuture.completedFuture(found)
                : served(found).thenApply(_ -> found)),
        ctx,
        answer(handler, ctx));
  }

  /// BLOCKED-1
  private CompletionStage<@Nullable T> await(
      Resp3Handler handler, ChannelHandlerContext ctx, BlockedClient.Wanted<T> wanted) {
    return BlockedClient.wait(handler, ctx, wanted)
        .thenApplyAsync(
            found -> {
              if (found == null || !Connection.of(ctx.channel()).inputEnd().isDone()) {
                return found;
              }
              putBack(handler, found);
              ctx.close(); // What it has sent after this command would be answered in its place.
              return null;
            },
            task -> ctx.executor().schedule(task, 0, TimeUnit.NANOSECONDS)); // after what has come
  }

  private BiConsumer<@Nullable T, ResponseWriter> answer(
      Resp3Handler handler, ChannelHandlerContext ctx) {
    return (taken, writer) -> {
      if (taken == null) {
        writer.nulls();
      } else if (!ctx.channel().isActive() && !TransactionContext.isInTransactionContext(ctx)) {
        putBack(handler, taken); // BLOCKED-1
      } else {
        reply(taken, writer);
      }
    };
  }

  /// @param waits whether the client would wait: then others that do come first (BLOCKED-6)
  private CompletionStage<@Nullable T> take(
      Resp3Handler handler, BlockedClient.Wanted<T> wanted, boolean waits) {
    return takeFirst(
        wanted.keys().iterator(),
        key ->
            waits && BlockedKeys.isAwaited(handler.cache().getName(), key)
                ? check(handler, key)
                : wanted.take().apply(key));
  }

  /// Answers a command that takes several elements of one of several keys, and waits for none.
  ///
  /// @param words of which one names the first elements, the other the last ones
  /// @param reply what is answered for what was taken
  static <T> CompletionStage<RespRequestHandler> takeCounted(
      Resp3Handler handler,
      ChannelHandlerContext ctx,
      List<byte[]> arguments,
      List<String> words,
      BiFunction<byte[], Counted, CompletionStage<@Nullable T>> take,
      BiConsumer<T, ResponseWriter> reply) {
    Counted counted;
    try {
      counted = counted(arguments, /* timeoutMillis= */ 0, words.getFirst(), words.getLast());
    } catch (IllegalArgumentException e) {
      handler.writer().customError(e.getMessage());
      return handler.myStage();
    }
    return handler.stageToReturn(
        takeFirst(counted.keys().iterator(), key -> take.apply(key, counted)),
        ctx,
        (taken, writer) -> {
          if (taken == null) {
            writer.nulls();
          } else {
            reply.accept(taken, writer);
          }
        });
  }

  /// Takes from the first key that has something; null if none has.
  static <T> CompletionStage<@Nullable T> takeFirst(
      Iterator<byte[]> keys, Function<byte[], CompletionStage<@Nullable T>> take) {
    // A loop over what is known immediately: calls would be as deep as there are keys.
    while (keys.hasNext()) {
      CompletableFuture<@Nullable T> taken = take.apply(keys.next()).toCompletableFuture();
      if (!taken.isDone()) {
        return taken.thenCompose(first ->
            first == null ? takeFirst(keys, take) : CompletableFuture.completedFuture(first));
      }
      if (taken.isCompletedExceptionally() || taken.join() != null) {
        return taken;
      }
    }
    return CompletableFuture.completedFuture(null);
  }

  /// Fails for a key of another type. Gives nothing.
  private CompletionStage<@Nullable T> check(Resp3Handler handler, byte[] key) {
    CompletionStage<Long> size =
        switch (kind) {
          case LIST -> handler.getListMultimap().size(key);
          case SORTED_SET -> handler.getSortedSeMultimap().size(key);
        };
    return size.thenApply(_ -> null);
  }

  final BlockedKeys.Kind kind() {
    return kind;
  }

  /// The arguments of a command that takes several elements of one of several keys.
  ///
  /// @param isFirst whether the first of both words was given
  record Counted(List<byte[]> keys, boolean isFirst, long count, long timeoutMillis) {}

  /// `timeout numkeys key [key ...] FIRST|LAST [COUNT count]`
  static Counted counted(List<byte[]> arguments, String first, String last) {
    long timeoutMillis = timeoutMillis(arguments.getFirst());
    return counted(arguments.subList(1, arguments.size()), timeoutMillis, first, last);
  }

  /// `numkeys key [key ...] FIRST|LAST [COUNT count]`
  static Counted counted(List<byte[]> arguments, long timeoutMillis, String first, String last) {
    long keys = positive(arguments.getFirst(), "numkeys");
    if (keys > arguments.size() - 2) {
      throw new IllegalArgumentException("syntax error");
    }
    int end = 1 + (int) keys;
    boolean isFirst = isFirst(arguments.get(end), first, last);
    List<byte[]> options = arguments.subList(end + 1, arguments.size());
    boolean hasCount = options.size() == 2 && word(options.getFirst()).equals("COUNT");
    if (!(options.isEmpty() || hasCount)) {
      throw new IllegalArgumentException("syntax error");
    }
    return new Counted(
        List.copyOf(arguments.subList(1, end)),
        isFirst,
        hasCount ? positive(options.get(1), "count") : 1,
        timeoutMillis);
  }

  /// `key [key ...] timeout`, of a command that takes one element.
  static Counted ofOne(List<byte[]> arguments, boolean isFirst) {
    int last = arguments.size() - 1;
    return new Counted(
        List.copyOf(arguments.subList(0, last)), isFirst, 1, timeoutMillis(arguments.get(last)));
  }

  /// Whether an argument is the first of two words.
  static boolean isFirst(byte[] argument, String first, String last) {
    String word = word(argument);
    if (!word.equals(first) && !word.equals(last)) {
      throw new IllegalArgumentException("syntax error");
    }
    return word.equals(first);
  }

  private static String word(byte[] argument) {
    return new String(argument, StandardCharsets.US_ASCII).toUpperCase(Locale.ROOT);
  }

  private static long positive(byte[] argument, String name) {
    try {
      long number = RespNumbers.toLong(argument);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException _) {
      // It is answered as a number that is too low.
    }
    throw new IllegalArgumentException(name + " should be greater than 0");
  }

  static long timeoutMillis(byte[] argument) {
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
      throw new IllegalArgumentException("timeout is out of range");
    }
    return (long) Math.ceil(seconds * 1_000); // 0 would be no end
  }
}
