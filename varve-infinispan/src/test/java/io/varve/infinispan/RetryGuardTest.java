package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.infinispan.Cache;
import org.infinispan.commands.DataCommand;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.write.DataWriteCommand;
import org.infinispan.commands.write.ReplaceCommand;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.context.Flag;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.distribution.DistributionInfo;
import org.infinispan.distribution.ch.ConsistentHash;
import org.infinispan.distribution.ch.impl.ConsistentHashFactory;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.functional.EntryView.ReadWriteEntryView;
import org.infinispan.functional.FunctionalMap.ReadWriteMap;
import org.infinispan.functional.impl.FunctionalMapImpl;
import org.infinispan.functional.impl.ReadWriteMapImpl;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.infinispan.interceptors.impl.EntryWrappingInterceptor;
import org.infinispan.partitionhandling.PartitionHandling;
import org.infinispan.remoting.transport.Address;
import org.infinispan.statetransfer.OutdatedTopologyException;
import org.infinispan.statetransfer.StateTransferInterceptor;
import org.infinispan.statetransfer.StateTransferManagerImpl;
import org.infinispan.test.TestingUtil;
import org.infinispan.util.function.SerializableBiFunction;
import org.infinispan.util.function.SerializableFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/// A conditional write takes effect once, and answers what it did or fails. So it is though the
/// primary owner of its key is lost while it is under way.
@Tag("slow")
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class RetryGuardTest {
  /// The node that clients call, the primary owner that is lost, and the backup.
  private static final int CALLED = 0;

  private static final int LOST = 1;
  private static final int BACKUP = 2;

  @TempDir Path directory;
  private Nodes nodes;
  private Cache<String, String> called;
  private String key;

  @BeforeEach
  void start() {
    nodes = new Nodes(directory, RetryGuardTest::consistent).asServers();
    for (int node = 0; node < 3; node++) {
      nodes.add();
    }
    nodes.awaitShares();
    called = nodes.cache(CALLED);
    key = key();
  }

  @AfterEach
  void stop() {
    nodes.close();
  }

  private static void consistent(ConfigurationBuilder configuration) {
    configuration
        .clustering()
        .hash()
        .numOwners(2)
        .numSegments(Nodes.SEGMENTS)
        .clustering()
        .partitionHandling()
        .whenSplit(PartitionHandling.DENY_READ_WRITES);
  }

  /// A key whose primary owner is lost, and whose backup is the primary owner from then on. Where
  /// the called node becomes it, a call that is repeated late has an owner that cannot know.
  private String key() {
    ConsistentHash left = withoutLost();
    Address backup = nodes.node(BACKUP).getAddress();
    return Nodes.keyOf(
        called,
        owners ->
            isOfLost(owners)
                && left.locatePrimaryOwnerForSegment(owners.segmentId()).equals(backup));
  }

  private boolean isOfLost(DistributionInfo owners) {
    return owners.primary().equals(nodes.node(LOST).getAddress())
        && owners.writeBackups().contains(nodes.node(BACKUP).getAddress());
  }

  /// Some keys whose primary owner is lost, of a segment each.
  private List<String> keys(int count) {
    Set<Integer> segments = new HashSet<>();
    List<String> keys = new ArrayList<>();
    while (keys.size() < count) {
      keys.add(Nodes.keyOf(called, owners -> isOfLost(owners) && segments.add(owners.segmentId())));
    }
    return keys;
  }

  /// Which nodes own what when one node is lost and the others have shared what it owned.
  @SuppressWarnings("unchecked") // the factory is that of the cache's own hash
  private ConsistentHash withoutLost() {
    var factory =
        (ConsistentHashFactory<ConsistentHash>)
            StateTransferManagerImpl.pickConsistentHashFactory(
                nodes.node(CALLED).getCacheManagerConfiguration(), called.getCacheConfiguration());
    ConsistentHash now =
        called.getAdvancedCache().getDistributionManager().getCacheTopology().getCurrentCH();
    List<Address> members = new ArrayList<>(now.getMembers());
    members.remove(nodes.node(LOST).getAddress());
    return factory.rebalance(factory.updateMembers(now, members, null));
  }

  private boolean isCalled(InvocationContext context, DataCommand command) {
    return command instanceof DataWriteCommand
        && nodes.node(CALLED).getAddress().equals(context.getOrigin());
  }

  /// Holds what the called node sends to the primary owner.
  private Gate hold(Gate gate) {
    ComponentRegistry.componentOf(nodes.cache(LOST), AsyncInterceptorChain.class)
        .addInterceptor(gate, 0);
    return gate;
  }

  private void lose() throws Exception {
    cutOff(LOST, CALLED, BACKUP);
  }

  private void cutOff(int node, int first, int second) throws Exception {
    TestingUtil.getDiscardForCache(nodes.node(node)).discardAll(true);
    TestingUtil.installNewView(nodes.node(node));
    TestingUtil.installNewView(nodes.node(first), nodes.node(second));
  }

  private static <T> T get(CompletableFuture<T> call) throws Exception {
    return call.get(60, TimeUnit.SECONDS);
  }

  @Test
  void aReplacementIsNotTakenForThatOfAnotherCaller() throws Exception {
    called.put(key, "5");
    Gate gate = hold(Gate.before(this::isCalled));
    CompletableFuture<Boolean> first = called.replaceAsync(key, "5", "6");
    gate.awaitHeld();
    assertThat(nodes.cache(BACKUP).replace(key, "5", "6")).isTrue();
    lose();
    assertThat(get(first)).isFalse();
    gate.open();
  }

  @Test
  void aPutIfAbsentIsNotTakenForThatOfAnotherCaller() throws Exception {
    Gate gate = hold(Gate.before(this::isCalled));
    CompletableFuture<String> first = called.putIfAbsentAsync(key, "1");
    gate.awaitHeld();
    assertThat(nodes.cache(BACKUP).putIfAbsent(key, "1")).isNull();
    lose();
    assertThat(get(first)).isEqualTo("1");
    gate.open();
  }

  /// The backup has another value when the write is sent to it, as that of an earlier attempt which
  /// the primary owner has not seen.
  @Test
  void aPutIfAbsentThatWasDoneIsAnsweredSo() throws Exception {
    nodes.cache(BACKUP).getAdvancedCache().withFlags(Flag.CACHE_MODE_LOCAL).put(key, "1");
    Gate gate = hold(Gate.after(this::isCalled));
    CompletableFuture<String> first = called.putIfAbsentAsync(key, "1");
    gate.awaitHeld();
    lose();
    assertThat(get(first)).isNull();
    awaitOwners("1");
    gate.open();
  }

  @Test
  void aReplacementThatWasDoneIsAnsweredSo() throws Exception {
    called.put(key, "5");
    Gate gate = hold(Gate.after(this::isCalled));
    CompletableFuture<Boolean> first = called.replaceAsync(key, "5", "6");
    gate.awaitHeld();
    // Another follows before the first is repeated.
    assertThat(nodes.cache(BACKUP).replace(key, "6", "7")).isTrue();
    lose();
    assertThat(get(first)).isTrue();
    assertThat(called.get(key)).isEqualTo("7");
    gate.open();
  }

  /// The primary owner fails a write that its backup has committed: owners have changed. So another
  /// caller's replacement finds the old value. It leaves the same new value as the first.
  @Test
  void aReplacementThatItsBackupAloneHasIsNotTakenForThatOfAnotherCaller() throws Exception {
    called.put(key, "5");
    Outdated outdated = new Outdated();
    ComponentRegistry.componentOf(nodes.cache(LOST), AsyncInterceptorChain.class)
        .addInterceptorAfter(outdated, EntryWrappingInterceptor.class);
    CompletableFuture<Boolean> first = called.replaceAsync(key, "5", "6");
    await().until(() -> outdated.thrown.contains(key));
    assertThat(Nodes.stored(nodes.cache(BACKUP), key)).isEqualTo("6");
    assertThat(nodes.cache(BACKUP).replace(key, "5", "6")).isTrue();
    lose();
    assertThatThrownBy(() -> get(first)).rootCause().hasMessageContaining("may have been done");
  }

  /// While a node was cut off, others wrote what it had written before. It owns the keys again when
  /// the writes of before are repeated there.
  @Test
  void anOwnerThatWasNoneInBetweenDoesNotRepeatItsWrites() throws Exception {
    List<String> keys = keys(8);
    keys.forEach(each -> called.put(each, "5"));
    Outdated outdated = new Outdated();
    ComponentRegistry.componentOf(nodes.cache(LOST), AsyncInterceptorChain.class)
        .addInterceptorAfter(outdated, EntryWrappingInterceptor.class);
    Gate again =
        Gate.before((_, command) ->
            command instanceof ReplaceCommand replace
                && replace.hasAnyFlag(FlagBitSets.COMMAND_RETRY));
    ComponentRegistry.componentOf(called, AsyncInterceptorChain.class)
        .addInterceptorAfter(again, StateTransferInterceptor.class);
    List<CompletableFuture<Boolean>> calls =
        keys.stream().map(each -> called.replaceAsync(each, "5", "6")).toList();
    keys.forEach(each -> await().until(() -> outdated.thrown.contains(each)));

    cutOff(BACKUP, CALLED, LOST);
    for (String _ : keys) {
      again.awaitHeld();
    }
    keys.forEach(each -> called.put(each, "9"));
    nodes.join(BACKUP);
    TestingUtil.waitForNoRebalance(called, nodes.cache(LOST), nodes.cache(BACKUP));
    lose();
    TestingUtil.waitForNoRebalance(called, nodes.cache(BACKUP));
    assertThat(keys)
        .anyMatch(
            each -> Nodes.owners(called, each).primary().equals(nodes.node(BACKUP).getAddress()));
    again.open();
    for (int i = 0; i < calls.size(); i++) {
      calls.get(i).handle((_, _) -> null).get(60, TimeUnit.SECONDS);
      assertThat(called.get(keys.get(i))).isEqualTo("9");
    }
  }

  /// Has the first call of another node fail after all backups have committed it.
  private final class Outdated extends BaseAsyncInterceptor {
    private final Set<String> thrown = ConcurrentHashMap.newKeySet();

    @Override
    public Object visitCommand(InvocationContext context, VisitableCommand command) {
      return command instanceof ReplaceCommand replace
              && isCalled(context, replace)
              && !replace.hasAnyFlag(FlagBitSets.COMMAND_RETRY)
          ? invokeNextThenAccept(
              context,
              command,
              (_, _, _) -> {
                thrown.add(
                    (String)
                        called
                            .getAdvancedCache()
                            .getKeyDataConversion()
                            .fromStorage(replace.getKey()));
                throw OutdatedTopologyException.RETRY_NEXT_TOPOLOGY;
              })
          : invokeNext(context, command);
    }
  }

  @Test
  void aComputationIsDoneOnce() throws Exception {
    called.put(key, "5");
    Gate gate = hold(Gate.after(this::isCalled));
    SerializableBiFunction<String, String, String> more = (_, value) -> value + "+";
    CompletableFuture<String> first = called.computeAsync(key, more);
    gate.awaitHeld();
    lose();
    assertThat(get(first)).isEqualTo("5+");
    awaitOwners("5+");
    gate.open();
  }

  /// No node that is left knows what it answered.
  @Test
  void aFunctionIsAppliedOnce() throws Exception {
    called.put(key, "5");
    Gate gate = hold(Gate.after(this::isCalled));
    ReadWriteMap<String, String> map =
        ReadWriteMapImpl.create(FunctionalMapImpl.create(called.getAdvancedCache()));
    CompletableFuture<String> first = map.eval(key, append());
    gate.awaitHeld();
    lose();
    assertThatThrownBy(() -> get(first)).rootCause().hasMessageContaining("may have been done");
    awaitOwners("5+");
    gate.open();
  }

  private static SerializableFunction<ReadWriteEntryView<String, String>, String> append() {
    return entry -> {
      String before = entry.get();
      entry.set(before + "+");
      return before;
    };
  }

  /// Each owner has what was answered, though the function gives another value each time.
  @Test
  void aFunctionThatDrawsLotsHasOneOutcome() throws Exception {
    ReadWriteMap<String, String> map =
        ReadWriteMapImpl.create(FunctionalMapImpl.create(called.getAdvancedCache()));
    String drawn = get(map.eval(key, draw()));
    assertThat(Nodes.stored(nodes.cache(LOST), key)).isEqualTo(drawn);
    assertThat(Nodes.stored(nodes.cache(BACKUP), key)).isEqualTo(drawn);
  }

  private static SerializableFunction<ReadWriteEntryView<String, String>, String> draw() {
    return entry -> {
      String drawn = UUID.randomUUID().toString();
      entry.set(drawn);
      return drawn;
    };
  }

  /// A removal of an entry that another caller has made again since is not done twice.
  @Test
  void aConditionalRemovalIsDoneOnce() throws Exception {
    called.put(key, "5");
    Gate gate = hold(Gate.after(this::isCalled));
    CompletableFuture<Boolean> first = called.removeAsync(key, "5");
    gate.awaitHeld();
    nodes.cache(BACKUP).put(key, "5");
    lose();
    assertThat(get(first)).isTrue();
    awaitOwners("5");
    gate.open();
  }

  private void awaitOwners(String value) {
    await()
        .untilAsserted(() -> {
          assertThat(Nodes.stored(called, key)).isEqualTo(value);
          assertThat(Nodes.stored(nodes.cache(BACKUP), key)).isEqualTo(value);
        });
    assertThat(called.get(key)).isEqualTo(value);
    assertThat(nodes.cache(BACKUP).get(key)).isEqualTo(value);
  }
}
