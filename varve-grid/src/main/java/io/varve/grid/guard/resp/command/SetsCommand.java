package io.varve.grid.guard.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.RequestThreads;
import io.varve.grid.guard.resp.format.RespNumbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.infinispan.multimap.impl.EmbeddedSetCache;
import org.infinispan.multimap.impl.SetBucket;
import org.infinispan.multimap.impl.internal.MultimapObjectWrapper;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// `SUNION`, `SDIFF`, `SINTER`, those of their kind that store or count the result, and
/// `SMISMEMBER`.
///
/// (SETS-1) The time that it takes grows as the members of its sets do. Infinispan compares each
/// member with each of the others. Four clients that asked for the union of two sets of 24,000
/// members took all event loops for minutes. What two of 30,000 share took more than 30 seconds.
/// Those of large sets are computed on no event loop (ELEMENTS-1).
public final class SetsCommand extends ReplacingCommand {
  /// Members that Infinispan compares with a set at its owner, which need not send it.
  private static final int COMPARED_MAX = 16;

  private SetsCommand(RespCommand command) {
    super(command);
  }

  /// The command itself if it is another one, or one of these.
  public static RespCommand of(RespCommand command) {
    return switch (command.getName()) {
      case "SDIFF",
          "SDIFFSTORE",
          "SINTER",
          "SINTERCARD",
          "SINTERSTORE",
          "SMISMEMBER",
          "SUNION",
          "SUNIONSTORE" ->
          command instanceof SetsCommand ? command : new SetsCommand(command);
      default -> command;
    };
  }

  /// A member of a set, or a key. Many that have one hash are ordered, and found soon.
  private static MultimapObjectWrapper<byte[]> wrapped(byte[] bytes) {
    return new MultimapObjectWrapper<>(bytes);
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    EmbeddedSetCache<byte[], byte[]> sets = handler.getEmbeddedSetCache();
    // The list of arguments is that of the next command, once this one has ended.
    List<byte[]> words = List.copyOf(arguments);
    return switch (getName()) {
      case "SDIFFSTORE", "SINTERSTORE", "SUNIONSTORE" ->
          handler.stageToReturn(
              members(sets, words.subList(1, words.size()), ctx)
                  .thenCompose(members -> sets.set(words.getFirst(), members)),
              ctx,
              ResponseWriter.INTEGER);
      case "SINTERCARD" -> count(handler, ctx, words);
      case "SMISMEMBER" -> areMembers(handler, ctx, words);
      default ->
          handler.stageToReturn(members(sets, words, ctx), ctx, ResponseWriter.SET_BULK_STRING);
    };
  }

  private CompletionStage<Set<byte[]>> members(
      EmbeddedSetCache<byte[], byte[]> sets, List<byte[]> keys, ChannelHandlerContext ctx) {
    boolean isWithoutItself =
        getName().startsWith("SDIFF")
            && keys.stream().skip(1).anyMatch(key -> Arrays.equals(key, keys.getFirst()));
    return read(sets, keys, ctx, read -> isWithoutItself ? Set.of() : bytes(members(read)));
  }

  private static Set<byte[]> bytes(Set<MultimapObjectWrapper<byte[]>> members) {
    return members.stream().map(MultimapObjectWrapper::get).collect(Collectors.toSet());
  }

  /// Reads sets in the order of their keys, one that is named again once, and has them computed.
  private static <T> CompletionStage<T> read(
      EmbeddedSetCache<byte[], byte[]> sets,
      List<byte[]> keys,
      ChannelHandlerContext ctx,
      Function<List<SetBucket<byte[]>>, T> compute) {
    Set<MultimapObjectWrapper<byte[]>> names =
        keys.stream()
            .map(SetsCommand::wrapped)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    IdentityHashMap<byte[], SetBucket<byte[]>> found = new IdentityHashMap<>();
    return ManyKeysCommand.inSlices(
            names.stream().map(MultimapObjectWrapper::get).toList(),
            ctx.channel().eventLoop(),
            found,
            (_, slice) ->
                sets.getAll(slice.stream().collect(Collectors.toSet()))
                    .thenApply(more -> {
                      more.forEach(found::put);
                      return found;
                    }))
        .thenCompose(buckets -> {
          List<SetBucket<byte[]>> read = inOrder(names, buckets);
          long members = read.stream().mapToLong(SetBucket::size).sum();
          return CompletableFuture.supplyAsync(
              () -> compute.apply(read), RequestThreads.ofElements(ctx.channel(), members));
        });
  }

  /// Fails if one is of another type.
  private static List<SetBucket<byte[]>> inOrder(
      Set<MultimapObjectWrapper<byte[]>> names, Map<byte[], SetBucket<byte[]>> buckets) {
    Map<MultimapObjectWrapper<byte[]>, SetBucket<byte[]>> byName =
        buckets.entrySet().stream()
            .collect(Collectors.toMap(entry -> wrapped(entry.getKey()), Map.Entry::getValue));
    List<SetBucket<byte[]>> read = new ArrayList<>();
    for (MultimapObjectWrapper<byte[]> name : names) {
      SetBucket<byte[]> bucket = byName.get(name);
      read.add(bucket == null ? new SetBucket<>() : bucket);
    }
    return read;
  }

  private Set<MultimapObjectWrapper<byte[]>> members(List<SetBucket<byte[]>> sets) {
    if (getName().startsWith("SINTER")) {
      return common(sets);
    }
    Set<MultimapObjectWrapper<byte[]>> members =
        sets.getFirst().stream().collect(Collectors.toCollection(HashSet::new));
    boolean isUnion = getName().startsWith("SUNION");
    for (SetBucket<byte[]> other : sets.subList(1, sets.size())) {
      other.stream().forEach(isUnion ? members::add : members::remove);
    }
    return members;
  }

  private static Set<MultimapObjectWrapper<byte[]>> common(List<SetBucket<byte[]>> sets) {
    List<SetBucket<byte[]>> bySize = new ArrayList<>(sets);
    bySize.sort(Comparator.comparingInt(SetBucket::size));
    Set<MultimapObjectWrapper<byte[]>> common =
        bySize.getFirst().stream().collect(Collectors.toSet());
    for (SetBucket<byte[]> other : bySize.subList(1, bySize.size())) {
      common = shared(common, other);
    }
    return common;
  }

  private static Set<MultimapObjectWrapper<byte[]>> shared(
      Set<MultimapObjectWrapper<byte[]>> members, SetBucket<byte[]> set) {
    return members.isEmpty()
        ? members
        : set.stream().filter(members::contains).collect(Collectors.toSet());
  }

  /// `SINTERCARD numkeys key [key ...] [LIMIT limit]`
  private CompletionStage<RespRequestHandler> count(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> words) {
    long keys;
    long limit;
    try {
      keys = RespNumbers.toLong(words.getFirst());
      limit = keys == words.size() - 1 ? 0 : RespNumbers.toLong(words.getLast());
    } catch (NumberFormatException _) {
      return performReplaced(handler, ctx, words); // which refuses it, as all else that follows
    }
    boolean isLimited =
        keys == words.size() - 3
            && new String(words.get(words.size() - 2), US_ASCII).equalsIgnoreCase("LIMIT");
    if (keys <= 0 || limit < 0 || (keys != words.size() - 1 && !isLimited)) {
      return performReplaced(handler, ctx, words);
    }
    List<byte[]> names = words.subList(1, 1 + (int) keys);
    return handler.stageToReturn(
        read(
            handler.getEmbeddedSetCache(),
            names,
            ctx,
            sets -> limit == 0 ? common(sets).size() : Math.min(limit, common(sets).size())),
        ctx,
        ResponseWriter.INTEGER);
  }

  private CompletionStage<RespRequestHandler> areMembers(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> words) {
    if (words.size() <= 1 + COMPARED_MAX) {
      return performReplaced(handler, ctx, words);
    }
    List<MultimapObjectWrapper<byte[]>> asked =
        words.stream().skip(1).map(SetsCommand::wrapped).toList();
    return handler.stageToReturn(
        read(handler.getEmbeddedSetCache(), words.subList(0, 1), ctx, sets -> areIn(asked, sets)),
        ctx,
        ResponseWriter.ARRAY_INTEGER);
  }

  private static Collection<Long> areIn(
      List<MultimapObjectWrapper<byte[]>> asked, List<SetBucket<byte[]>> sets) {
    Set<MultimapObjectWrapper<byte[]>> found = shared(new HashSet<>(asked), sets.getFirst());
    return asked.stream().map(member -> found.contains(member) ? 1L : 0L).toList();
  }
}
