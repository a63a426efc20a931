package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.resp.format.RespNumbers;
import io.varve.infinispan.ExpiryGuard;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import org.infinispan.AdvancedCache;
import org.infinispan.metadata.EmbeddedMetadata;
import org.infinispan.metadata.Metadata;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// When keys of RESP expire, of all types.
///
/// (EXPIRE-1) A key expires at the time that was given, to the millisecond, and that is the time
/// which `PEXPIRETIME` answers. Infinispan's own command answers a time that moves: the whole
/// lifespan from now on. (EXPIRE-2) `GT` and `LT` compare that time with the one that is there, as
/// at Redis; Infinispan's compare lifespans. (EXPIRE-3) `PERSIST` is for all types, Infinispan's
/// for strings. (EXPIRE-4) What a condition has seen is what is replaced: a key whose value or time
/// another client has changed is read again (EXPIRY-4). (EXPIRE-5) The copy of another owner may
/// expire at another time, as after one write of several keys by a node of an earlier release. What
/// shows the same time in [#SAME_READS_MAX] reads is replaced if its value is the same.
///
/// (EXPIRE-6) Seconds are answered as the nearest whole number, as at Redis: 100 right after
/// `EXPIRE key 100`.
final class Expiry {
  /// When a key may be given another time.
  private enum Condition {
    NX,
    XX,
    GT,
    LT
  }

  /// What `EXPIRETIME` answers of a key that does not expire, and of one that is not there.
  private static final long NEVER_REPLY = -1;

  private static final long ABSENT_REPLY = -2;

  /// As Infinispan has the time of an entry that does not expire.
  private static final long NEVER = -1;

  /// No copy lags so many calls after what its primary owner has.
  private static final int SAME_READS_MAX = 8;

  private static final Metadata IMMORTAL = new EmbeddedMetadata.Builder().build();

  private final Resp3Handler handler;
  private final AdvancedCache<byte[], Object> cache;
  private final byte[] key;

  private Expiry(Resp3Handler handler, byte[] key) {
    this.handler = handler;
    this.key = key;
    cache = EachType.of(handler);
  }

  /// Carries out `EXPIRE` and its kin.
  ///
  /// @param unit of the time that the client sends
  /// @param at whether that is a time of the clock, and not one from now on
  static CompletionStage<RespRequestHandler> expire(
      Resp3Handler handler,
      ChannelHandlerContext ctx,
      List<byte[]> arguments,
      TimeUnit unit,
      boolean at) {
    var expiry = new Expiry(handler, arguments.getFirst());
    long millis;
    try {
      millis = Math.multiplyExact(RespNumbers.toLong(arguments.get(1)), unit.toMillis(1));
      millis = at ? millis : Math.addExact(millis, expiry.nowMillis());
    } catch (ArithmeticException _) {
      handler.writer().customError("invalid expire time");
      return handler.myStage();
    }
    Set<Condition> conditions = EnumSet.noneOf(Condition.class);
    try {
      for (byte[] word : arguments.subList(2, arguments.size())) {
        conditions.add(Condition.valueOf(ExpiryTime.option(word)));
      }
    } catch (IllegalArgumentException _) {
      handler.writer().customError("Unsupported option");
      return handler.myStage();
    }
    boolean contradictory =
        (conditions.contains(Condition.NX) && conditions.size() > 1)
            || conditions.containsAll(Set.of(Condition.GT, Condition.LT));
    if (contradictory) {
      handler.writer().customError("the options at the same time are not compatible");
      return handler.myStage();
    }
    long expiryMillis = millis;
    return handler.stageToReturn(
        expiry.replace(
            now -> conditions.stream().allMatch(condition -> holds(condition, expiryMillis, now)),
            Optional.of(ExpiryTime.of(expiryMillis, expiry.nowMillis()))),
        ctx,
        ResponseWriter.INTEGER);
  }

  private static boolean holds(Condition condition, long wanted, OptionalLong now) {
    return switch (condition) {
      case NX -> now.isEmpty();
      case XX -> now.isPresent();
      case GT -> now.isPresent() && wanted > now.getAsLong();
      case LT -> now.isEmpty() || wanted < now.getAsLong();
    };
  }

  /// Carries out `PERSIST`.
  static CompletionStage<RespRequestHandler> persist(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    var expiry = new Expiry(handler, arguments.getFirst());
    return handler.stageToReturn(
        expiry.replace(OptionalLong::isPresent, Optional.empty()), ctx, ResponseWriter.INTEGER);
  }

  /// Carries out `EXPIRETIME` and `PEXPIRETIME`.
  ///
  /// @param unit of the answer
  static CompletionStage<RespRequestHandler> time(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments, TimeUnit unit) {
    return answer(handler, ctx, arguments, expiryMillis -> rounded(expiryMillis, unit));
  }

  /// Carries out `TTL`.
  static CompletionStage<RespRequestHandler> secondsLeft(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    long nowMillis = new Expiry(handler, arguments.getFirst()).nowMillis();
    return answer(
        handler,
        ctx,
        arguments,
        expiryMillis -> rounded(Math.max(0, expiryMillis - nowMillis), TimeUnit.SECONDS));
  }

  /// @param reply what is answered of a key that expires, by the time at which it does
  private static CompletionStage<RespRequestHandler> answer(
      Resp3Handler handler,
      ChannelHandlerContext ctx,
      List<byte[]> arguments,
      LongUnaryOperator reply) {
    var expiry = new Expiry(handler, arguments.getFirst());
    return handler.stageToReturn(
        expiry
            .cache
            .getCacheEntryAsync(expiry.key)
            .thenApply(entry -> {
              if (entry == null) {
                return ABSENT_REPLY;
              }
              OptionalLong millis = ExpiryTime.ofEntry(entry);
              return millis.isEmpty() ? NEVER_REPLY : reply.applyAsLong(millis.getAsLong());
            }),
        ctx,
        ResponseWriter.INTEGER);
  }

  /// EXPIRE-6
  private static long rounded(long millis, TimeUnit unit) {
    long unitMillis = unit.toMillis(1);
    return millis / unitMillis + (2 * (millis % unitMillis) >= unitMillis ? 1 : 0);
  }

  /// Gives the entry another time, or none, if it may have one; 1 if it has.
  private CompletionStage<Long> replace(Predicate<OptionalLong> may, Optional<ExpiryTime> wanted) {
    return replace(may, wanted, Long.MIN_VALUE, 1);
  }

  /// @param seenBefore the time that the read before has shown
  /// @param reads how many in a row have shown it
  private CompletionStage<Long> replace(
      Predicate<OptionalLong> may, Optional<ExpiryTime> wanted, long seenBefore, int reads) {
    return cache
        .getCacheEntryAsync(key)
        .thenCompose(entry -> {
          if (entry == null || !may.test(ExpiryTime.ofEntry(entry))) {
            return CompletableFuture.completedFuture(0L);
          }
          long seenMillis = ExpiryTime.ofEntry(entry).orElse(NEVER);
          int sameReads = seenMillis == seenBefore ? reads + 1 : 1;
          Metadata metadata =
              sameReads < SAME_READS_MAX ? ifExpiryIs(seenMillis, wanted) : always(wanted);
          return cache
              .replaceAsync(key, entry.getValue(), entry.getValue(), metadata)
              .thenCompose(done ->
                  done
                      ? CompletableFuture.completedFuture(1L)
                      : replace(may, wanted, seenMillis, sameReads)); // Another was quicker.
        });
  }

  /// EXPIRE-4
  private static Metadata ifExpiryIs(long seenMillis, Optional<ExpiryTime> wanted) {
    return wanted
        .map(time -> ExpiryGuard.ifExpiryIs(seenMillis, time.lifespan(), time.createdMillis()))
        .orElseGet(() -> ExpiryGuard.ifExpiryIs(seenMillis, IMMORTAL, NEVER));
  }

  /// EXPIRE-5
  private static Metadata always(Optional<ExpiryTime> wanted) {
    return wanted.map(ExpiryTime::metadata).orElse(IMMORTAL);
  }

  private long nowMillis() {
    return handler.respServer().getTimeService().wallClockTime();
  }
}
