package io.varve.grid.guard.resp.command;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.infinispan.AdvancedCache;
import org.infinispan.context.Flag;
import org.infinispan.server.resp.Resp3Handler;

/// The cache of a client of RESP with values of each type: strings as bytes, others as Infinispan
/// keeps them.
final class EachType {
  private EachType() {}

  static AdvancedCache<byte[], Object> of(Resp3Handler handler) {
    return handler.typedCache(handler.cache().getValueDataConversion().getStorageMediaType());
  }

  /// Stores a collection in place of whatever is there. No element leaves no key.
  ///
  /// @param collection makes the value of elements
  /// @return how many elements it has
  static <E> CompletionStage<Long> replace(
      Resp3Handler handler, byte[] key, Function<List<E>, Object> collection, List<E> elements) {
    AdvancedCache<byte[], Object> cache = of(handler).withFlags(Flag.IGNORE_RETURN_VALUES);
    CompletionStage<?> written =
        elements.isEmpty()
            ? cache.removeAsync(key)
            : cache.putAsync(key, collection.apply(elements));
    return written.thenApply(_ -> (long) elements.size());
  }
}
