package io.varve.grid.guard.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.RequestThreads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.infinispan.multimap.impl.ScoredValue;
import org.infinispan.multimap.impl.SetBucket;
import org.infinispan.multimap.impl.SortedSetBucket;
import org.infinispan.multimap.impl.SortedSetBucket.AggregateFunction;
import org.infinispan.multimap.impl.internal.MultimapObjectWrapper;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.commands.ArgumentUtils;
import org.infinispan.server.resp.commands.sortedset.ZSetCommonUtils;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// `ZDIFF`, `ZINTER`, `ZUNION`, and those of their kind that store the result, of sets and sorted
/// sets.
///
/// (COMBINED-1) No score is `nan`: what adds `+inf` and `-inf`, or weighs one of them with 0, is 0,
/// as at Redis. Infinispan stores `nan`, which orders as nothing does.
///
/// (COMBINED-2) What is stored takes the place of whatever is there, of any type.
///
/// Those of many members are computed on no event loop (ELEMENTS-1).
public final class SortedSetsCommand extends ReplacingCommand {
  private SortedSetsCommand(RespCommand command) {
    super(command);
  }

  /// The command itself if it is another one, or one of these.
  public static RespCommand of(RespCommand command) {
    boolean isOther =
        switch (command.getName()) {
          case "ZDIFF", "ZDIFFSTORE", "ZINTER", "ZINTERSTORE", "ZUNION", "ZUNIONSTORE" ->
              command instanceof SortedSetsCommand || command instanceof CountedKeysCommand;
          default -> true;
        };
    return isOther ? command : new SortedSetsCommand(command);
  }

  /// What follows the destination, or the name.
  private record Options(
      List<byte[]> keys, List<Double> weights, AggregateFunction aggregate, boolean withScores) {
    /// Reads them.
    ///
    /// @return null for what Infinispan refuses
    static @Nullable Options of(List<byte[]> words, boolean isStored, boolean isWeighed) {
      try {
        int keyCount = ArgumentUtils.toInt(words.getFirst());
        if (keyCount < 1 || keyCount >= words.size()) {
          return null;
        }
        List<Double> weights = Collections.nCopies(keyCount, 1.0);
        AggregateFunction aggregate = AggregateFunction.SUM;
        boolean withScores = false;
        int at = 1 + keyCount;
        while (at < words.size()) {
          int left = words.size() - at - 1;
          String option = text(words.get(at++));
          if (!isWeighed && !option.equals("WITHSCORES")) {
            return null;
          }
          switch (option) {
            case "WEIGHTS" -> {
              if (left < keyCount) {
                return null;
              }
              weights = words.subList(at, at + keyCount).stream().map(Options::weight).toList();
              at += keyCount;
            }
            case "AGGREGATE" -> {
              if (left < 1) {
                return null;
              }
              aggregate = AggregateFunction.valueOf(text(words.get(at++)));
            }
            case "WITHSCORES" -> {
              if (isStored) {
                return null;
              }
              withScores = true;
            }
            default -> {
              return null;
            }
          }
        }
        return new Options(words.subList(1, 1 + keyCount), weights, aggregate, withScores);
      } catch (IllegalArgumentException _) { // no number, or no such function
        return null;
      }
    }

    private static String text(byte[] word) {
      return new String(word, US_ASCII).toUpperCase(Locale.ROOT);
    }

    private static double weight(byte[] word) {
      return ArgumentUtils.toDouble(word);
    }
  }

  /// The scores of the members of one set, and what they are multiplied with.
  private record Weighed(Map<MultimapObjectWrapper<byte[]>, Double> scores, double weight) {
    int size() {
      return scores.size();
    }

    double score(MultimapObjectWrapper<byte[]> member) {
      return number(Objects.requireNonNull(scores.get(member)) * weight);
    }
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    List<byte[]> words = List.copyOf(arguments);
    boolean isStored = getName().endsWith("STORE");
    Options options =
        Options.of(
            isStored ? words.subList(1, words.size()) : words,
            isStored,
            /* isWeighed= */ !getName().startsWith("ZDIFF"));
    if (options == null) {
      return performReplaced(handler, ctx, words);
    }
    AdvancedCache<byte[], Object> cache = EachType.of(handler);
    CompletionStage<List<ScoredValue<byte[]>>> combined =
        CompletionStages.performSequentially(
                options.keys().iterator(),
                key -> cache.getAsync(key).thenApply(SortedSetsCommand::scores),
                Collectors.toList())
            .thenCompose(sets -> {
              long members = sets.stream().mapToLong(Map::size).sum();
              return CompletableFuture.supplyAsync(
                  () -> combined(sets, options), RequestThreads.ofElements(ctx.channel(), members));
            });
    return isStored
        ? handler.stageToReturn(
            combined.thenCompose(members ->
                EachType.replace(
                    handler, words.getFirst(), new SortedSetBucket<byte[]>()::replace, members)),
            ctx,
            ResponseWriter.INTEGER)
        : handler.stageToReturn(
            combined.thenApply(members -> ZSetCommonUtils.response(members, options.withScores())),
            ctx,
            ResponseWriter.CUSTOM);
  }

  /// The members of a set have the score 1.
  @SuppressWarnings("unchecked") // All are bytes.
  private static Map<MultimapObjectWrapper<byte[]>, Double> scores(@Nullable Object value) {
    Map<MultimapObjectWrapper<byte[]>, Double> scores = new HashMap<>();
    switch (value) {
      case null -> {}
      case SetBucket<?> set ->
          ((SetBucket<byte[]>) set).stream().forEach(member -> scores.put(member, 1.0));
      case SortedSetBucket<?> set ->
          ((SortedSetBucket<byte[]>) set)
              .getScoredEntries()
              .forEach(member -> scores.put(member.wrappedValue(), member.score()));
      default -> throw new ClassCastException("no set or sorted set");
    }
    return scores;
  }

  private List<ScoredValue<byte[]>> combined(
      List<Map<MultimapObjectWrapper<byte[]>, Double>> sets, Options options) {
    if (getName().startsWith("ZDIFF")) {
      sets.subList(1, sets.size()).forEach(set -> sets.getFirst().keySet().removeAll(set.keySet()));
      return sorted(sets.getFirst());
    }
    List<Weighed> bySize = new ArrayList<>();
    for (int at = 0; at < sets.size(); at++) {
      bySize.add(new Weighed(sets.get(at), options.weights().get(at)));
    }
    bySize.sort(Comparator.comparingInt(Weighed::size));
    Map<MultimapObjectWrapper<byte[]>, Double> combined = new HashMap<>();
    if (getName().startsWith("ZINTER")) {
      for (MultimapObjectWrapper<byte[]> member : bySize.getFirst().scores().keySet()) {
        if (bySize.stream().allMatch(set -> set.scores().containsKey(member))) {
          bySize.forEach(set -> add(combined, member, set, options.aggregate()));
        }
      }
    } else {
      for (Weighed set : bySize) {
        set.scores().keySet().forEach(member -> add(combined, member, set, options.aggregate()));
      }
    }
    return sorted(combined);
  }

  private static List<ScoredValue<byte[]>> sorted(Map<MultimapObjectWrapper<byte[]>, Double> set) {
    return set.entrySet().stream()
        .map(entry -> new ScoredValue<>(entry.getValue(), entry.getKey()))
        .sorted()
        .toList();
  }

  private static void add(
      Map<MultimapObjectWrapper<byte[]>, Double> combined,
      MultimapObjectWrapper<byte[]> member,
      Weighed set,
      AggregateFunction aggregate) {
    combined.merge(
        member, set.score(member), (before, score) -> number(aggregate.apply(before, score)));
  }

  private static double number(double score) {
    return Double.isNaN(score) ? 0 : score; // COMBINED-1
  }
}
