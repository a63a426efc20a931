package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.infinispan.commons.marshall.WrappedByteArray;
import org.infinispan.multimap.impl.EmbeddedSetCache;
import org.infinispan.multimap.impl.SetBucket;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespCommand;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// `SUNION`, `SDIFF` and those of their kind that store the result.
///
/// (SETS-1) The time that it takes grows as the members of its sets do. Infinispan compares each
/// member with each of the others: four clients that asked for the union of two sets of 24,000
/// members took all event loops for minutes. Its `SINTER` does not.
final class SetsCommand extends ReplacingCommand {
  private final boolean isUnion;
  private final boolean isStored;

  private SetsCommand(RespCommand command, boolean isUnion) {
    super(command);
    this.isUnion = isUnion;
    this.isStored = command.getName().endsWith("STORE");
  }

  /// The command itself if it is another one.
  static RespCommand of(RespCommand command) {
    return switch (command.getName()) {
      case "SUNION", "SUNIONSTORE" -> new SetsCommand(command, /* isUnion= */ true);
      case "SDIFF", "SDIFFSTORE" -> new SetsCommand(command, /* isUnion= */ false);
      default -> command;
    };
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    EmbeddedSetCache<byte[], byte[]> sets = handler.getEmbeddedSetCache();
    List<byte[]> keys = isStored ? arguments.subList(1, arguments.size()) : arguments;
    CompletionStage<Set<byte[]>> members =
        sets.getAll(bytes(wrapped(keys))).thenApply(buckets -> bytes(members(keys, buckets)));
    return isStored
        ? handler.stageToReturn(
            members.thenCompose(all -> sets.set(arguments.getFirst(), all)),
            ctx,
            ResponseWriter.INTEGER)
        : handler.stageToReturn(members, ctx, ResponseWriter.SET_BULK_STRING);
  }

  private static Set<WrappedByteArray> wrapped(Collection<byte[]> bytes) {
    Set<WrappedByteArray> wrapped = LinkedHashSet.newLinkedHashSet(bytes.size());
    bytes.forEach(one -> wrapped.add(new WrappedByteArray(one)));
    return wrapped;
  }

  private static Set<byte[]> bytes(Set<WrappedByteArray> members) {
    return members.stream().map(WrappedByteArray::getBytes).collect(Collectors.toSet());
  }

  private Set<WrappedByteArray> members(List<byte[]> keys, Map<byte[], SetBucket<byte[]>> buckets) {
    Map<WrappedByteArray, SetBucket<byte[]>> byKey =
        buckets.entrySet().stream()
            .collect(Collectors.toMap(e -> new WrappedByteArray(e.getKey()), Map.Entry::getValue));
    Set<WrappedByteArray> members = wrapped(of(byKey, new WrappedByteArray(keys.getFirst())));
    for (WrappedByteArray key : wrapped(keys.subList(1, keys.size()))) {
      Collection<byte[]> other = of(byKey, key);
      if (isUnion) {
        members.addAll(wrapped(other));
      } else {
        other.forEach(member -> members.remove(new WrappedByteArray(member)));
      }
    }
    return members;
  }

  private static Collection<byte[]> of(
      Map<WrappedByteArray, SetBucket<byte[]>> buckets, WrappedByteArray key) {
    SetBucket<byte[]> bucket = buckets.get(key);
    return bucket == null ? List.of() : bucket.toList();
  }
}
