package io.varve.infinispan;

import java.util.Objects;
import java.util.function.Predicate;
import org.infinispan.Cache;
import org.infinispan.commands.DataCommand;
import org.infinispan.commands.MetadataAwareCommand;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.functional.ReadWriteKeyCommand;
import org.infinispan.commands.write.DataWriteCommand;
import org.infinispan.commands.write.PutKeyValueCommand;
import org.infinispan.commands.write.PutMapCommand;
import org.infinispan.commands.write.ReplaceCommand;
import org.infinispan.commands.write.WriteCommand;
import org.infinispan.commons.time.TimeService;
import org.infinispan.container.entries.InternalCacheEntry;
import org.infinispan.container.entries.MVCCEntry;
import org.infinispan.container.impl.InternalDataContainer;
import org.infinispan.context.InvocationContext;
import org.infinispan.distribution.ch.KeyPartitioner;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptor;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.infinispan.interceptors.InvocationSuccessAction;
import org.infinispan.interceptors.impl.CallInterceptor;
import org.infinispan.interceptors.impl.EntryWrappingInterceptor;
import org.infinispan.metadata.EmbeddedMetadata;
import org.infinispan.metadata.Metadata;
import org.infinispan.metadata.impl.InternalMetadataImpl;
import org.jspecify.annotations.Nullable;

/// Keeps the times at which entries expire equal in memory, in the store and on all owners.
///
/// Infinispan 16.0.7 takes the time of creation for a write from the entry that is replaced, and
/// gives the store that one: an entry whose lifespan was renewed expires early after a restart. And
/// a function that gives an entry no lifespan takes the one away that it has.
///
/// - EXPIRY-1 A write that has a lifespan begins it, in memory and in the store, at one time. The
///   primary owner takes that time, and sends it to the others with a put or a replacement.
/// - EXPIRY-2 A replacement with the metadata [#UNCHANGED], and a function that is to keep it,
///   leave the time at which the entry expires. It stays to the millisecond, however often the
///   entry is written.
/// - EXPIRY-3 The primary owner decides what is kept, under the lock of the key. Other owners are
///   sent the time of creation, and do not look at what they have.
/// - EXPIRY-4 A replacement with the metadata of [#ifExpiryIs] is done if the entry expires at the
///   time that its caller has read. If not, it fails as by another value. The primary owner looks,
///   under the lock of the key.
/// - EXPIRY-5 A replacement that fails has the metadata that its caller gave: it is the same when
///   it is repeated.
/// - EXPIRY-6 A write of several keys with a lifespan takes its time before it is evaluated, since
///   Infinispan sends it to other owners before that. Each primary owner takes its own for its
///   keys. Transactions are not covered.
///
/// **Threads:** safe for any number of them.
///
/// @since 1.0
public final class ExpiryGuard {
  private static final long KEPT = -2; // which no entry has as its time of creation

  /// Times of the last use from here on down are those of expiry that [#ifExpiryIs] expects.
  private static final long EXPECTED_MAX = -3;

  private static final long EXPECTED_MILLIS_MAX = Long.MAX_VALUE + EXPECTED_MAX;

  /// Metadata of a replacement after which the entry expires when it would have before.
  public static final Metadata UNCHANGED =
      new InternalMetadataImpl(new EmbeddedMetadata.Builder().build(), KEPT, KEPT);

  private ExpiryGuard() {}

  /// Metadata of a replacement that is done only if the entry expires at a time, or never.
  ///
  /// @param expectedMillis that time of the wall clock, or -1 if the entry is not to expire yet
  /// @param given what the entry has afterwards
  /// @param createdMillis when a lifespan of these has begun, or -1 without one
  public static Metadata ifExpiryIs(long expectedMillis, Metadata given, long createdMillis) {
    return new InternalMetadataImpl(given, createdMillis, expectation(expectedMillis));
  }

  private static long expectation(long expiryMillis) {
    return EXPECTED_MAX - 1 - Math.clamp(expiryMillis, -1, EXPECTED_MILLIS_MAX);
  }

  private static boolean isExpected(InternalMetadataImpl times, @Nullable MVCCEntry<?, ?> entry) {
    if (times.lastUsed() > EXPECTED_MAX) {
      return true; // None is named.
    }
    long expiryMillis =
        entry == null || entry.getLifespan() < 0 ? -1 : entry.getCreated() + entry.getLifespan();
    return times.lastUsed() == expectation(expiryMillis);
  }

  /// Guards a cache that starts, whose functions all set lifespans. Does nothing if it has a guard,
  /// or evaluates no writes: a store may be started for itself, without a cache of a manager.
  static void add(Cache<?, ?> cache) {
    ComponentRegistry components = ComponentRegistry.of(cache);
    if (hasInterceptors(components.getComponent(BasicComponentRegistry.class))) {
      add(components, _ -> false);
    }
  }

  /// Whether a store that starts has a cache with interceptors.
  static boolean hasInterceptors(BasicComponentRegistry components) {
    return components.getRegisteredComponents().stream()
        .anyMatch(component -> component.getName().equals(AsyncInterceptorChain.class.getName()));
  }

  /// Guards a cache that starts. Does nothing if it has a guard.
  ///
  /// @param keeps whether an entry expires as before, after a function without a lifespan of its
  ///   own; it is given the function as the command has it
  public static void add(ComponentRegistry cache, Predicate<Object> keeps) {
    BasicComponentRegistry components = cache.getComponent(BasicComponentRegistry.class);
    AsyncInterceptorChain chain = components.getComponent(AsyncInterceptorChain.class).wired();
    if (chain.containsInterceptorType(Inner.class)) {
      return;
    }
    TimeService clock = components.getComponent(TimeService.class).wired();
    if (chain.addInterceptorBefore(new Inner(keeps, clock), CallInterceptor.class)) {
      InternalDataContainer<?, ?> memory =
          components.getComponent(InternalDataContainer.class).wired();
      KeyPartitioner partitioner = components.getComponent(KeyPartitioner.class).wired();
      chain.addInterceptorBefore(
          new Outer(memory, partitioner, clock), EntryWrappingInterceptor.class);
    }
  }

  /// What evaluates writes in a cache: Infinispan's last interceptor, or the guard in front of it.
  static AsyncInterceptor evaluation(AsyncInterceptorChain chain) {
    Inner guard = chain.findInterceptorWithClass(Inner.class);
    return guard == null
        ? Objects.requireNonNull(chain.findInterceptorWithClass(CallInterceptor.class))
        : guard;
  }

  /// The metadata of an entry that was written, for a command that writes the same: with the time
  /// of creation, if that was kept.
  static @Nullable Metadata sent(MVCCEntry<?, ?> entry) {
    Metadata metadata = entry.getMetadata();
    return metadata == null || entry.isRemoved() || entry.getCreated() < 0
        ? metadata
        : new InternalMetadataImpl(metadata, entry.getCreated(), entry.getLastUsed());
  }

  /// Decides what is kept, next to Infinispan's evaluation of writes.
  private static final class Inner extends BaseAsyncInterceptor {
    private final Predicate<Object> keeps;
    private final TimeService clock;
    private final InvocationSuccessAction<WriteCommand> renew = this::renew;
    private final InvocationSuccessAction<PutMapCommand> begin = this::begin;

    Inner(Predicate<Object> keeps, TimeService clock) {
      this.keeps = keeps;
      this.clock = clock;
    }

    @Override
    public Object visitCommand(InvocationContext context, VisitableCommand command) {
      return switch (command) {
        case PutKeyValueCommand put when put.getMetadata() instanceof InternalMetadataImpl ->
            invokeNext(context, put); // which takes the times from there
        case PutMapCommand puts when puts.getMetadata() instanceof InternalMetadataImpl ->
            invokeNextThenAccept(context, puts, begin);
        case ReplaceCommand replace
            when replace.getMetadata() instanceof InternalMetadataImpl times ->
            replace(context, replace, times);
        case ReadWriteKeyCommand<?, ?, ?> change when keeps.test(change.getFunction()) ->
            change(context, change);
        case WriteCommand write -> invokeNextThenAccept(context, write, renew);
        default -> invokeNext(context, command);
      };
    }

    /// EXPIRY-1
    private void renew(InvocationContext context, WriteCommand write, @Nullable Object value) {
      if (!(write instanceof DataCommand data)) {
        write.getAffectedKeys().forEach(key -> renew(context, key));
        return;
      }
      MVCCEntry<?, ?> entry = renew(context, data.getKey());
      if (entry != null
          && entry.getCreated() >= 0
          && (write instanceof PutKeyValueCommand || write instanceof ReplaceCommand)) {
        ((MetadataAwareCommand) write).setMetadata(times(entry));
      }
    }

    /// The entry, if it was written and its time of creation is that of the write.
    private @Nullable MVCCEntry<?, ?> renew(InvocationContext context, Object key) {
      return context.lookupEntry(key) instanceof MVCCEntry<?, ?> entry
              && isWritten(entry)
              && renew(entry)
          ? entry
          : null;
    }

    /// Gives entries the time that the command has brought. EXPIRY-6
    private void begin(InvocationContext context, PutMapCommand puts, @Nullable Object value) {
      for (Object key : puts.getAffectedKeys()) {
        if (context.lookupEntry(key) instanceof MVCCEntry<?, ?> entry
            && isWritten(entry)
            && entry.getMetadata() instanceof InternalMetadataImpl times) {
          restore(entry, times);
        }
      }
    }

    /// Without a lifespan an entry has no time of creation.
    private boolean renew(MVCCEntry<?, ?> entry) {
      Metadata metadata = entry.getMetadata();
      if (metadata != null && !metadata.updateCreationTimestamp()) {
        return false; // Counters keep it.
      }
      long nowMillis = clock.wallClockTime();
      entry.setCreated(metadata != null && metadata.lifespan() >= 0 ? nowMillis : -1L);
      entry.setLastUsed(metadata != null && metadata.maxIdle() >= 0 ? nowMillis : -1L);
      return true;
    }

    private Object replace(
        InvocationContext context, ReplaceCommand replace, InternalMetadataImpl times) {
      MVCCEntry<?, ?> entry = (MVCCEntry<?, ?>) context.lookupEntry(replace.getKey());
      if (!isExpected(times, entry)) { // EXPIRY-4
        replace.fail();
        return false;
      }
      InternalMetadataImpl before =
          times.created() == KEPT && entry != null && entry.getMetadata() != null
              ? times(entry)
              : null;
      return invokeNextThenAccept(
          context,
          replace,
          (_, done, _) -> {
            if (entry != null && isWritten(entry)) {
              // Of those that the command brought Infinispan has made some with the version before.
              InternalMetadataImpl kept =
                  before == null ? (InternalMetadataImpl) entry.getMetadata() : before;
              restore(entry, kept);
              done.setMetadata(times(entry)); // EXPIRY-3
            }
          });
    }

    private Object change(InvocationContext context, ReadWriteKeyCommand<?, ?, ?> change) {
      MVCCEntry<?, ?> entry = (MVCCEntry<?, ?>) context.lookupEntry(change.getKey());
      if (entry == null || entry.getValue() == null || !canExpire(entry.getMetadata())) {
        return invokeNextThenAccept(context, change, renew);
      }
      InternalMetadataImpl before = times(entry);
      return invokeNextThenAccept(
          context,
          change,
          (_, _, _) -> {
            if (isWritten(entry)) {
              if (canExpire(entry.getMetadata())) {
                renew(entry);
              } else {
                restore(entry, before);
              }
            }
          });
    }

    private static InternalMetadataImpl times(MVCCEntry<?, ?> entry) {
      return new InternalMetadataImpl(entry.getMetadata(), entry.getCreated(), entry.getLastUsed());
    }

    private void restore(MVCCEntry<?, ?> entry, InternalMetadataImpl times) {
      entry.setMetadata(times.actual());
      entry.setCreated(Math.max(-1L, times.created()));
      entry.setLastUsed(times.maxIdle() < 0 ? -1L : clock.wallClockTime());
    }

    private static boolean isWritten(MVCCEntry<?, ?> entry) {
      return entry.isChanged() && !entry.isRemoved() && !entry.isEvicted();
    }

    private static boolean canExpire(@Nullable Metadata metadata) {
      return metadata != null && (metadata.lifespan() >= 0 || metadata.maxIdle() >= 0);
    }
  }

  /// Has the entry in memory keep what was kept: Infinispan begins its lifespan there again.
  private static final class Outer extends BaseAsyncInterceptor {
    private final InternalDataContainer<?, ?> memory;
    private final KeyPartitioner partitioner;
    private final TimeService clock;
    private final InvocationSuccessAction<DataWriteCommand> keep =
        (context, write, _) -> keep(context, write.getSegment(), write.getKey());
    private final InvocationSuccessAction<PutMapCommand> keepAll = this::keepAll;

    Outer(InternalDataContainer<?, ?> memory, KeyPartitioner partitioner, TimeService clock) {
      this.memory = memory;
      this.partitioner = partitioner;
      this.clock = clock;
    }

    @Override
    public Object visitCommand(InvocationContext context, VisitableCommand command) {
      return switch (command) {
        case ReplaceCommand replace
            when replace.getMetadata() instanceof InternalMetadataImpl given ->
            invokeNextAndHandle(
                context,
                replace,
                (current, done, value, failure) -> {
                  if (failure != null) {
                    done.setMetadata(given); // EXPIRY-5
                    throw failure;
                  }
                  keep(current, done.getSegment(), done.getKey());
                  return value;
                });
        case PutMapCommand puts -> {
          if (takesTime(context, puts)) {
            long nowMillis = clock.wallClockTime();
            puts.setMetadata(
                new InternalMetadataImpl(puts.getMetadata(), nowMillis, nowMillis)); // EXPIRY-6
          }
          yield invokeNextThenAccept(context, puts, keepAll);
        }
        case DataWriteCommand write -> invokeNextThenAccept(context, write, keep);
        default -> invokeNext(context, command);
      };
    }

    /// Whether a lifespan begins by the clock of this node: it was called, or is a primary owner.
    private static boolean takesTime(InvocationContext context, PutMapCommand puts) {
      Metadata given = puts.getMetadata();
      return given != null
          && given.lifespan() >= 0
          && !puts.isForwarded()
          && !context.isInTxScope()
          && !(context.isOriginLocal() && given instanceof InternalMetadataImpl); // is repeated
    }

    private void keepAll(InvocationContext context, PutMapCommand puts, @Nullable Object value) {
      puts.getAffectedKeys().forEach(key -> keep(context, partitioner.getSegment(key), key));
    }

    @SuppressWarnings("ReferenceEquality") // Another write may have followed.
    private void keep(InvocationContext context, int segment, Object key) {
      if (!(context.lookupEntry(key) instanceof MVCCEntry<?, ?> entry)
          || !entry.isCommitted()
          || entry.isRemoved()
          || entry.getCreated() < 0
          || entry.getLifespan() < 0) {
        return;
      }
      InternalCacheEntry<?, ?> written = memory.peek(segment, key);
      if (written != null && written.getValue() == entry.getValue()) {
        written.reincarnate(entry.getCreated());
      }
    }
  }
}
