package io.varve.infinispan;

import io.varve.infinispan.DoneWrites.Answer;
import io.varve.infinispan.DoneWrites.Done;
import io.varve.infinispan.DoneWrites.Follower;
import io.varve.infinispan.DoneWrites.Outcome;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import org.infinispan.commands.CommandInvocationId;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.functional.FunctionalCommand;
import org.infinispan.commands.write.AbstractDataWriteCommand;
import org.infinispan.commands.write.ClearCommand;
import org.infinispan.commands.write.ComputeCommand;
import org.infinispan.commands.write.ComputeIfAbsentCommand;
import org.infinispan.commands.write.EvictCommand;
import org.infinispan.commands.write.PutKeyValueCommand;
import org.infinispan.commands.write.RemoveCommand;
import org.infinispan.commands.write.RemoveExpiredCommand;
import org.infinispan.commands.write.ReplaceCommand;
import org.infinispan.commands.write.ValueMatcher;
import org.infinispan.commands.write.WriteCommand;
import org.infinispan.commons.CacheException;
import org.infinispan.container.entries.MVCCEntry;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.distribution.DistributionInfo;
import org.infinispan.distribution.DistributionManager;
import org.infinispan.distribution.LocalizedCacheTopology;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.infinispan.interceptors.InvocationSuccessFunction;
import org.infinispan.interceptors.distribution.NonTxDistributionInterceptor;
import org.infinispan.interceptors.impl.EntryWrappingInterceptor;
import org.infinispan.metadata.Metadata;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachelistener.CacheNotifier;
import org.infinispan.notifications.cachelistener.annotation.TopologyChanged;
import org.infinispan.notifications.cachelistener.event.TopologyChangedEvent;
import org.infinispan.statetransfer.StateTransferInterceptor;
import org.infinispan.util.ByteString;
import org.jspecify.annotations.Nullable;

/// Has a conditional write take effect once, though it is repeated since owners have changed.
///
/// A node whose write fails by the death of an owner sends it again to the owner that is first
/// then. That one may have done it, as a backup. Infinispan 16.0.7 takes a conditional write for
/// done where it finds the new value: which another write may have written, so that two increments
/// answer the same number. And it applies functions again, so that one increment counts twice.
///
/// Here each owner keeps what it has done by the id of the command ([DoneWrites]).
///
/// - RETRY-1 A repeated write that its primary owner has done is not evaluated again. If nothing
///   has followed, what it left is written to all owners once more. If another has, it is known
///   whether the first one took effect (DONE-3), or the call fails.
/// - RETRY-2 One that the primary owner has not done is evaluated as the first time.
/// - RETRY-3 The primary owner cannot know where it was no owner at an earlier attempt or since
///   (DONE-4), or has forgotten. Then the call fails, and its outcome is unknown to the caller.
/// - RETRY-4 Functions are applied by the primary owner alone, and other owners are sent what they
///   left: a function may draw lots, as that of `SPOP`, and has one outcome.
public final class RetryGuard {
  /// The part of the heap that records may take, for each cache.
  private static final int HEAP_PARTS = 32;

  /// Of writes that concern this node alone, or bring entries of others.
  private static final long UNSHARED_FLAGS =
      FlagBitSets.CACHE_MODE_LOCAL
          | FlagBitSets.PUT_FOR_STATE_TRANSFER
          | FlagBitSets.SKIP_OWNERSHIP_CHECK;

  private final DoneWrites done = new DoneWrites(Runtime.getRuntime().maxMemory() / HEAP_PARTS);
  private final ByteString cacheName;
  private final DistributionManager distribution;
  private final AsyncInterceptorChain chain;

  private RetryGuard(
      String cacheName, AsyncInterceptorChain chain, BasicComponentRegistry components) {
    this.cacheName = ByteString.fromString(cacheName);
    this.distribution = components.getComponent(DistributionManager.class).wired();
    this.chain = chain;
  }

  /// Guards a cache that starts, if it is one of several nodes that a server has and has no guard.
  public static void add(ComponentRegistry cache) {
    BasicComponentRegistry components = cache.getComponent(BasicComponentRegistry.class);
    AsyncInterceptorChain chain = components.getComponent(AsyncInterceptorChain.class).wired();
    if (!chain.containsInterceptorType(NonTxDistributionInterceptor.class)
        || chain.containsInterceptorType(Owner.class)) {
      return;
    }
    var guard = new RetryGuard(cache.getCacheName(), chain, components);
    chain.addInterceptorAfter(guard.new Originator(), StateTransferInterceptor.class);
    chain.addInterceptorBefore(guard.new Commit(), EntryWrappingInterceptor.class);
    chain.addInterceptorBefore(guard.new Owner(), NonTxDistributionInterceptor.class);
    components.getComponent(CacheNotifier.class).wired().addListener(guard.new OwnedSegments());
  }

  /// Whether a write does not do the same, or not answer the same, when it is done twice.
  private static boolean countsOnce(VisitableCommand command) {
    return command instanceof AbstractDataWriteCommand write
        && !(write instanceof EvictCommand || write instanceof RemoveExpiredCommand)
        && (write.isConditional()
            || write instanceof FunctionalCommand
            || write instanceof ComputeCommand
            || write instanceof ComputeIfAbsentCommand)
        && !write.hasAnyFlag(UNSHARED_FLAGS)
        && !CommandInvocationId.DUMMY_INVOCATION_ID.equals(write.getCommandInvocationId());
  }

  private static boolean isRepeated(AbstractDataWriteCommand command) {
    return command.hasAnyFlag(FlagBitSets.COMMAND_RETRY);
  }

  private static boolean isBackup(AbstractDataWriteCommand command) {
    return command.hasAnyFlag(FlagBitSets.BACKUP_WRITE);
  }

  private static CacheException unknown() {
    return new CacheException(
        "the write may have been done, or not: its owners changed while it was under way, and the"
            + " node that would know has left; read the entry before it is written again");
  }

  /// Sees which segments this node does not own (DONE-4). A write of an earlier topology is not
  /// committed in a later one, so that a topology may be seen when it is there.
  @Listener(observation = Listener.Observation.POST)
  public final class OwnedSegments {
    private OwnedSegments() {}

    /// Takes down what a topology has taken from this node.
    @TopologyChanged
    public void changed(TopologyChangedEvent<?, ?> event) {
      LocalizedCacheTopology topology = distribution.getCacheTopology(); // that of the event
      for (int segment = 0; segment < topology.getNumSegments(); segment++) {
        if (!topology.isSegmentWriteOwner(segment)) {
          done.lost(segment, topology.getTopologyId());
        }
      }
    }
  }

  /// Keeps the owners of the key in all attempts of a write, on the node that a client has called.
  private final class Originator extends BaseAsyncInterceptor {
    private final Map<CommandInvocationId, Set<Object>> attempts =
        Collections.synchronizedMap(new WeakHashMap<>());

    @Override
    public Object visitCommand(InvocationContext context, VisitableCommand command) {
      if (!context.isOriginLocal() || !countsOnce(command)) {
        return invokeNext(context, command);
      }
      var write = (AbstractDataWriteCommand) command;
      CommandInvocationId id = write.getCommandInvocationId();
      DistributionInfo owners = distribution.getCacheTopology().getDistribution(write.getKey());
      Set<Object> before = attempts.get(id);
      if (isRepeated(write) && before != null && !before.contains(owners.primary())) {
        throw unknown(); // RETRY-3
      }
      return invokeNextAndExceptionally(
          context,
          write,
          (_, _, failure) -> {
            attempts.merge(
                id,
                new HashSet<>(owners.writeOwners()),
                (earlier, now) -> {
                  earlier.retainAll(now);
                  return earlier;
                });
            throw failure;
          });
    }
  }

  /// Sees which writes were committed.
  private final class Commit extends BaseAsyncInterceptor {
    @Override
    public Object visitCommand(InvocationContext context, VisitableCommand command) {
      return command instanceof AbstractDataWriteCommand write
              && (countsOnce(write) || isRepeated(write))
          ? invokeNextThenAccept(
              context,
              write,
              (_, _, _) -> done.commit(write.getCommandInvocationId(), !isBackup(write)))
          : invokeNext(context, command);
    }
  }

  /// Evaluates writes on the primary owner of their key, and keeps what was done on all owners.
  private final class Owner extends BaseAsyncInterceptor {
    private final InvocationSuccessFunction<AbstractDataWriteCommand> keep = this::keep;

    @Override
    public Object visitCommand(InvocationContext context, VisitableCommand command)
        throws Throwable {
      if (!(command instanceof WriteCommand change)) {
        return invokeNext(context, command);
      }
      if (!(change instanceof AbstractDataWriteCommand write)) {
        return invokeNextThenAccept(context, change, (_, many, _) -> overwritten(many));
      }
      if (write.hasAnyFlag(UNSHARED_FLAGS)) {
        return invokeNext(context, write);
      }
      boolean backup = isBackup(write);
      LocalizedCacheTopology topology = distribution.getCacheTopology();
      if (!backup && !topology.getDistribution(write.getKey()).isPrimary()) {
        return invokeNext(context, write); // which sends it there
      }
      if (backup || !countsOnce(write)) {
        return invokeNextThenApply(context, write, keep);
      }
      return isRepeated(write) ? repeat(context, write) : evaluate(context, write);
    }

    private void overwritten(WriteCommand command) {
      if (command instanceof ClearCommand) {
        done.cleared();
      } else {
        command.getAffectedKeys().forEach(key -> done.overwritten(key, Follower.UNCONDITIONAL));
      }
    }

    private Object keep(
        InvocationContext context, AbstractDataWriteCommand write, @Nullable Object value) {
      if (!write.isSuccessful()
          || !(context.lookupEntry(write.getKey()) instanceof MVCCEntry<?, ?> entry)
          || !entry.isChanged()) {
        return answer(value);
      }
      if (countsOnce(write)) {
        add(write, entry, firstAnswer(write, value));
      } else if (isRepeated(write)) {
        Done before = done.of(write.getCommandInvocationId());
        Outcome known = before == null ? null : before.outcome();
        add(write, entry, known == null ? null : known.answer());
      } else {
        done.overwritten(write.getKey(), follower(write));
      }
      return answer(value);
    }

    /// What a write that was done answers, as the primary owner answers it; null where a backup
    /// cannot know. A backup may have had another value, such as that of the write itself, which it
    /// was sent at an earlier attempt.
    private @Nullable Answer firstAnswer(AbstractDataWriteCommand write, @Nullable Object value) {
      return switch (write) {
        case PutKeyValueCommand _ -> new Answer(null); // as there was nothing
        case ReplaceCommand _ when write.hasAnyFlag(FlagBitSets.BACKUP_WRITE) -> null;
        default -> new Answer(value);
      };
    }

    private void add(
        AbstractDataWriteCommand write, MVCCEntry<?, ?> entry, @Nullable Answer answer) {
      Object value = entry.isRemoved() ? null : entry.getValue();
      done.add(write, new Outcome(value, ExpiryGuard.sent(entry), answer), follower(write));
    }

    /// What a write shows of the one before it. The primary owner saw what it had committed. A
    /// backup sees by the condition of a write what the primary owner found. One without a
    /// condition may follow whatever was there; but the outcome of a function is sent without one.
    private Follower follower(AbstractDataWriteCommand write) {
      if (!isBackup(write)) {
        return Follower.UNCONDITIONAL;
      }
      return switch (write) {
        case ReplaceCommand replace when replace.getOldValue() != null ->
            (left, _) -> Objects.deepEquals(left.value(), replace.getOldValue());
        case RemoveCommand remove when remove.getValue() != null ->
            (left, _) -> Objects.deepEquals(left.value(), remove.getValue());
        case PutKeyValueCommand put when put.isPutIfAbsent() -> (left, _) -> left.value() == null;
        default -> isRepeated(write) ? (_, _) -> false : Follower.UNCONDITIONAL;
      };
    }

    private Object repeat(InvocationContext context, AbstractDataWriteCommand write)
        throws Throwable {
      CommandInvocationId id = write.getCommandInvocationId();
      Done before = done.of(id);
      if (before == null) {
        if (done.mayHaveForgotten(id)) {
          throw unknown(); // RETRY-3
        }
        return evaluate(context, write); // RETRY-2
      }
      if (!done.isOwnedSince(before)) {
        throw unknown(); // RETRY-3
      }
      Outcome outcome = before.outcome();
      if (outcome != null) { // RETRY-1
        Object value = answerOf(write, outcome);
        return invokeNextThenApply(
            context,
            writeOf(write, outcome.value(), outcome.metadata()),
            (current, again, _) -> {
              keep(current, again, null);
              return answer(value);
            });
      }
      if (!before.isEffective()) {
        throw unknown(); // RETRY-1
      }
      Object value = answerOf(write, null);
      write.fail(); // So that nothing is stored.
      return answer(value);
    }

    /// Does a write for the first time, or as if it were.
    private Object evaluate(InvocationContext context, AbstractDataWriteCommand write)
        throws Throwable {
      ValueMatcher first = firstMatcher(write);
      if (first != null) {
        write.setValueMatcher(first);
        return invokeNextThenApply(context, write, keep);
      }
      // Which is found now: a module that starts later may have guarded it since.
      return makeStage(ExpiryGuard.evaluation(chain).visitCommand(context, write))
          .thenApply(
              context,
              write,
              (current, applied, value) -> {
                if (!applied.isSuccessful()
                    || !(current.lookupEntry(applied.getKey()) instanceof MVCCEntry<?, ?> entry)
                    || !entry.isChanged()) {
                  return answer(value);
                }
                Object left = entry.isRemoved() ? null : entry.getValue();
                return invokeNextThenApply( // RETRY-4
                    current,
                    writeOf(applied, left, ExpiryGuard.sent(entry)),
                    (_, _, _) -> {
                      add(applied, entry, new Answer(value));
                      return answer(value);
                    });
              });
    }

    /// How a command compares when it comes the first time; null for functions.
    private @Nullable ValueMatcher firstMatcher(AbstractDataWriteCommand write) {
      return switch (write) {
        case PutKeyValueCommand _, RemoveCommand _ -> ValueMatcher.MATCH_EXPECTED;
        case ReplaceCommand replace ->
            replace.getOldValue() == null
                ? ValueMatcher.MATCH_NON_NULL
                : ValueMatcher.MATCH_EXPECTED;
        default -> null;
      };
    }

    /// The write of what another has left, under its id. It is marked as repeated, so that other
    /// owners keep it by that.
    private AbstractDataWriteCommand writeOf(
        AbstractDataWriteCommand write, @Nullable Object value, @Nullable Metadata metadata) {
      long flags = write.getFlagsBitSet() | FlagBitSets.COMMAND_RETRY;
      AbstractDataWriteCommand again =
          value == null
              ? new RemoveCommand(
                  cacheName,
                  write.getKey(),
                  null,
                  false,
                  write.getSegment(),
                  flags,
                  write.getCommandInvocationId())
              : new PutKeyValueCommand(
                  cacheName,
                  write.getKey(),
                  value,
                  false,
                  false,
                  metadata,
                  write.getSegment(),
                  flags,
                  write.getCommandInvocationId());
      again.setTopologyId(write.getTopologyId());
      return again;
    }

    /// What a write that was done answers.
    private @Nullable Object answerOf(AbstractDataWriteCommand write, @Nullable Outcome left) {
      if (left != null && left.answer() != null) {
        return left.answer().value();
      }
      return switch (write) {
        case ComputeCommand _, ComputeIfAbsentCommand _ when left != null -> left.value();
        case PutKeyValueCommand _ -> null; // as there was nothing
        case RemoveCommand _ -> true;
        case ReplaceCommand replace when replace.getOldValue() != null -> true;
        default -> {
          if (write.hasAnyFlag(FlagBitSets.IGNORE_RETURN_VALUES)) {
            yield null;
          }
          throw unknown(); // RETRY-3
        }
      };
    }

    @SuppressWarnings("NullAway") // Infinispan's answers may be null.
    private static Object answer(@Nullable Object value) {
      return value;
    }
  }
}
