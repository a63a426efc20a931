package io.varve.grid.guard.resp.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.CacheParts;
import io.varve.grid.guard.connection.RequestThreads;
import io.varve.grid.guard.entry.EntryLength;
import io.varve.grid.guard.resp.format.RespDoubles;
import io.varve.grid.guard.resp.format.RespNumbers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.multimap.impl.HashMapBucket;
import org.infinispan.multimap.impl.ScoredValue;
import org.infinispan.multimap.impl.SetBucket;
import org.infinispan.multimap.impl.SortedSetBucket;
import org.infinispan.reactive.publisher.impl.DeliveryGuarantee;
import org.infinispan.server.core.iteration.IterableIterationResult;
import org.infinispan.server.core.iteration.IterationManager;
import org.infinispan.server.core.iteration.list.ListIterationInitializationContext;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.RespTypes;
import org.infinispan.server.resp.filter.ComposedFilterConverterFactory;
import org.infinispan.server.resp.filter.GlobMatchFilterConverterFactory;
import org.infinispan.server.resp.filter.RespTypeFilterConverterFactory;
import org.infinispan.server.resp.serialization.Resp3Type;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// `KEYS`, `SCAN`, and `HSCAN`, `SSCAN` and `ZSCAN` of one entry. Infinispan's manager has the
/// iterations, so that any connection may continue one.
///
/// - MATCH-1 A pattern has at most [GlobPattern#BYTES_MAX], and [GlobPattern] compares.
///   Infinispan's comparison calls itself for each star, and knows ASCII alone. In a cluster it
///   still leaves out what need not be sent here, by a pattern of ASCII that takes no less.
/// - ITERATION-1 What has ended is closed, that of `KEYS` too, and a connection has few that have
///   not ([Iterations]). Infinispan has that of each `KEYS` until its connection ends.
/// - ITERATION-2 A cursor that no iteration has is refused. Infinispan answers as if all had been
///   shown.
public final class IterationCommand extends ReplacingCommand {
  private static final String BEGIN = "0";
  private static final int COUNT = 10; // as Redis has it

  private static final long ELEMENT_BYTES = 64; // at least, in memory

  private static final byte[] NOTHING = {};

  private IterationCommand(RespCommand command) {
    super(command);
  }

  /// The command itself if it is another one, or one of these.
  public static RespCommand of(RespCommand command) {
    return switch (command.getName()) {
      case "KEYS", "SCAN", "HSCAN", "SSCAN", "ZSCAN" ->
          command instanceof IterationCommand ? command : new IterationCommand(command);
      default -> command;
    };
  }

  private record Options(byte @Nullable [] pattern, int count, @Nullable String type) {
    /// Reads them.
    ///
    /// @return null if they are none
    /// @throws NumberFormatException if the count is none
    static @Nullable Options of(List<byte[]> words, boolean mayHaveType) {
      byte[] pattern = null;
      int count = COUNT;
      String type = null;
      for (int at = 0; at + 1 < words.size(); at += 2) {
        byte[] word = words.get(at + 1);
        switch (new String(words.get(at), US_ASCII).toUpperCase(Locale.ROOT)) {
          case "MATCH" -> pattern = word;
          case "COUNT" -> count = (int) Math.min(RespNumbers.toLong(word), Integer.MAX_VALUE);
          case "TYPE" -> type = new String(word, US_ASCII).toLowerCase(Locale.ROOT);
          default -> {
            return null;
          }
        }
      }
      return words.size() % 2 > 0 || count < 1 || (type != null && !mayHaveType)
          ? null
          : new Options(pattern, count, type);
    }

    boolean takes(byte[] name) {
      return pattern == null
          || (name.length == 0 && pattern.length == 1 && pattern[0] == '*') // GLOB-2
          || GlobPattern.matches(pattern, name);
    }
  }

  /// What is answered: the cursor that continues, and words.
  private record Page(String cursor, List<byte[]> words) {}

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    boolean isOfKeys = getName().equals("KEYS");
    boolean isOfEntry = !isOfKeys && !getName().equals("SCAN");
    int cursorAt = isOfEntry ? 1 : 0;
    Options options =
        isOfKeys
            ? new Options(arguments.getFirst(), Integer.MAX_VALUE, null)
            : Options.of(arguments.subList(cursorAt + 1, arguments.size()), !isOfEntry);
    if (options == null) {
      handler.writer().syntaxError();
      return handler.myStage();
    }
    if (options.pattern() != null && options.pattern().length > GlobPattern.BYTES_MAX) { // MATCH-1
      handler.writer().customError(GlobPattern.TOO_LONG);
      return handler.myStage();
    }
    Iterations iterations = Iterations.of(ctx.channel());
    IterationManager manager =
        isOfEntry
            ? handler.respServer().getDataStructureIterationManager()
            : handler.respServer().getIterationManager();
    String cursor = isOfKeys ? BEGIN : new String(arguments.get(cursorAt), ISO_8859_1);
    CompletionStage<String> begun =
        !cursor.equals(BEGIN)
            ? CompletableFuture.completedFuture(cursor)
            : isOfEntry
                ? beginEntry(
                    handler, ctx, arguments.getFirst(), options.count(), manager, iterations)
                : CompletableFuture.completedFuture(begin(handler, options, manager, iterations));
    CompletionStage<Page> page =
        begun.thenCompose(iteration ->
            handler
                .getBlockingManager()
                .supplyBlocking(
                    () -> nextOrEnd(iteration, options, manager, iterations), "varve-iteration"));
    return handler.stageToReturn(
        page, ctx, isOfKeys ? IterationCommand::writeWords : IterationCommand::write);
  }

  private static void writeWords(Page page, ResponseWriter writer) {
    writer.array(page.words(), Resp3Type.BULK_STRING);
  }

  private static void write(Page page, ResponseWriter writer) {
    writer.array(
        List.of(page.cursor(), page),
        (part, to) -> {
          if (part instanceof Page of) {
            writeWords(of, to);
          } else {
            to.string((String) part);
          }
        });
  }

  /// Begins an iteration of the keys of the cache.
  private String begin(
      Resp3Handler handler, Options options, IterationManager manager, Iterations iterations) {
    AdvancedCache<?, ?> cache =
        handler.cache().withMediaType(MediaType.APPLICATION_OCTET_STREAM, null);
    Map<Class<?>, List<byte[]>> filters = new HashMap<>();
    if (options.pattern() != null && CacheParts.isClustered(handler)) { // MATCH-1
      filters.put(
          GlobMatchFilterConverterFactory.class, List.of(GlobPattern.ascii(options.pattern())));
    }
    if (options.type() != null) {
      byte[] type = {type(options.type())};
      filters.put(RespTypeFilterConverterFactory.class, List.of(type));
    }
    var filter =
        filters.isEmpty() ? null : ComposedFilterConverterFactory.convertFiltersFormat(filters);
    String iteration =
        manager
            .start(
                cache,
                null,
                filter == null ? null : filter.getKey().getName(),
                filter == null ? null : filter.getValue(),
                null,
                options.count(),
                /* metadata= */ false,
                DeliveryGuarantee.AT_LEAST_ONCE,
                null)
            .getId();
    if (!getName().equals("KEYS")) { // which has one page
      iterations.begin(iteration, manager, 0);
    }
    return iteration;
  }

  /// The number by which Infinispan knows the type that a word names, or of none.
  private static byte type(String word) {
    RespTypes[] types = RespTypes.values();
    byte at = 0;
    while (at < types.length - 1 && !types[at].name().equals(word)) {
      at++;
    }
    return at; // The last one is that of no entry.
  }

  /// Begins an iteration of what one entry has now, on no event loop if that is much (ELEMENTS-1).
  private CompletionStage<String> beginEntry(
      Resp3Handler handler,
      ChannelHandlerContext ctx,
      byte[] key,
      int count,
      IterationManager manager,
      Iterations iterations) {
    AdvancedCache<byte[], byte[]> cache = handler.cache();
    return EachType.of(handler)
        .getAsync(key)
        .thenCompose(value ->
            CompletableFuture.supplyAsync(
                () -> {
                  String iteration =
                      manager
                          .start(
                              cache,
                              null,
                              null,
                              null,
                              null,
                              count,
                              /* metadata= */ false,
                              DeliveryGuarantee.AT_LEAST_ONCE,
                              ListIterationInitializationContext.withSource(elements(value)))
                          .getId();
                  iterations.begin(iteration, manager, bytes(value));
                  return iteration;
                },
                RequestThreads.ofElements(ctx.channel(), EntryLength.elements(value))));
  }

  private static long bytes(@Nullable Object value) {
    return value == null
        ? 0
        : EntryLength.bytes(value) + ELEMENT_BYTES * EntryLength.elements(value);
  }

  /// The elements of a collection, each with what is shown after it.
  private List<Map.Entry<Object, Object>> elements(@Nullable Object value) {
    return switch (value) {
      case null -> List.of();
      case HashMapBucket<?, ?> hash when getName().equals("HSCAN") ->
          hash.converted().entrySet().stream()
              .map(field -> Map.<Object, Object>entry(field.getKey(), field.getValue()))
              .toList();
      case SetBucket<?> set when getName().equals("SSCAN") ->
          set.toList().stream().map(member -> Map.<Object, Object>entry(member, NOTHING)).toList();
      case SortedSetBucket<?> sorted when getName().equals("ZSCAN") ->
          sorted.getScoredEntriesAsList().stream()
              .map(member -> Map.<Object, Object>entry(member.getValue(), score(member)))
              .toList();
      default -> throw new ClassCastException("a value of another type");
    };
  }

  private static byte[] score(ScoredValue<?> member) {
    return RespDoubles.text(member.score()).getBytes(US_ASCII);
  }

  /// The next page of an iteration, which ends if that fails.
  private Page nextOrEnd(
      String iteration, Options options, IterationManager manager, Iterations iterations) {
    try {
      return next(iteration, options, manager, iterations);
    } catch (RuntimeException e) {
      iterations.end(iteration, manager);
      throw e;
    }
  }

  private Page next(
      String iteration, Options options, IterationManager manager, Iterations iterations) {
    boolean hasPairs = getName().equals("HSCAN") || getName().equals("ZSCAN");
    iterations.use(iteration);
    List<byte[]> words = new ArrayList<>();
    int names = 0;
    IterableIterationResult read;
    do {
      read = manager.next(iteration, options.count());
      if (read.getStatusCode() == IterableIterationResult.Status.InvalidIteration) { // ITERATION-2
        throw new IllegalArgumentException("invalid cursor: its iteration has ended; begin at 0");
      }
      for (CacheEntry<?, ?> entry : read.getEntries()) {
        byte[] name = (byte[]) entry.getKey();
        if (options.takes(name)) {
          names++;
          words.add(name);
          if (hasPairs) {
            words.add((byte[]) entry.getValue());
          }
        }
      }
    } while (read.getStatusCode() == IterableIterationResult.Status.Success
        && names < options.count());
    if (read.getStatusCode() == IterableIterationResult.Status.Finished) {
      iterations.end(iteration, manager);
      return new Page(BEGIN, words);
    }
    return new Page(iteration, words);
  }
}
