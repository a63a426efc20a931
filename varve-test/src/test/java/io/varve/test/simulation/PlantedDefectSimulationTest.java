package io.varve.test.simulation;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.varve.AsyncSpace;
import io.varve.Commit;
import io.varve.ConflictException;
import io.varve.Durability;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.Transaction;
import io.varve.Visibility;
import io.varve.admin.RestoreTo;
import io.varve.item.Item;
import io.varve.item.ItemSnapshot;
import io.varve.item.ItemSpace;
import io.varve.test.BuildFigures;
import io.varve.test.DiskCall;
import io.varve.test.DiskOperation;
import io.varve.test.Fault;
import io.varve.test.FaultPlan;
import io.varve.test.simulation.AlteredStore.Alteration;
import io.varve.test.simulation.AlteredStore.Call;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A simulation that finds nothing may be blind. So here it judges stores with a defect, and must
/// find each within [BuildFigures#PLANTED_SEEDS] histories, and name which promise is broken.
@Tag("simulation")
class PlantedDefectSimulationTest {
  private static final Class<byte[]> BYTES = byte[].class;

  private static final SimulationOptions QUIET = with(FaultKind.NONE);
  private static final SimulationOptions FEW_STEPS = new SimulationOptions(QUIET.faults(), 3, 5);
  private static final SimulationOptions ONE_STEP = new SimulationOptions(QUIET.faults(), 1, 1);

  /// More states that can be restored for the time that a history takes.
  private static final SimulationOptions ONE_THREAD = new SimulationOptions(QUIET.faults(), 60, 1);

  private static final SimulationOptions POWER = with(FaultKind.POWER);

  private static SimulationOptions with(FaultKind kind) {
    return SimulationOptions.defaults().faults(EnumSet.of(kind));
  }

  /// Requires that the history of one of the first seeds fails so.
  ///
  /// @param planted made again for each
  private static void requireFound(
      Supplier<Planted> planted, SimulationOptions options, String message) {
    List<String> others = new ArrayList<>();
    for (long seed = 1; seed <= BuildFigures.PLANTED_SEEDS; seed++) {
      try {
        History.run(seed, options, null, planted.get());
      } catch (SimulationFailedError e) {
        if (e.getMessage().contains(message)) {
          assertThat(e).hasMessageContaining("seed=" + seed);
          return;
        }
        others.add(e.getMessage());
      }
    }
    fail(
        "defect was not found: seeds=%d, expected=%s, found=%s",
        BuildFigures.PLANTED_SEEDS, message, others);
  }

  /// @param alteration made again for each open
  private static Planted store(Supplier<Alteration> alteration) {
    return new Planted() {
      @Override
      public Store store(Store opened) {
        return AlteredStore.of(opened, alteration.get());
      }
    };
  }

  @Test
  void aDiskThatReportsAForceItDidNotMakeIsFoundAtALossOfPower() {
    requireFound(LogDropping::new, POWER, "lost (D3)");
  }

  /// Drops what is written to log segments after their headers, be it with a force or not. A store
  /// reads that only when it recovers: so nothing shows before the power is cut. What makes a
  /// segment longer is written: a store refuses to open without what it had prepared.
  private static final class LogDropping implements Planted {
    private final Map<String, Long> lengths = new HashMap<>();

    @Override
    public FaultPlan disk(FaultPlan chosen) {
      return call -> {
        Fault fault = chosen.onCall(call);
        boolean drops =
            call.operation() == DiskOperation.WRITE
                && call.name().endsWith(".log")
                && call.position() > 0
                && !lengthens(call);
        return drops && fault == Fault.NONE ? Fault.DROPPED : fault;
      };
    }

    private boolean lengthens(DiskCall call) {
      long end = call.position() + call.length();
      boolean lengthens = end > lengths.getOrDefault(call.name(), 0L);
      if (lengthens) {
        lengths.put(call.name(), end);
      }
      return lengthens;
    }
  }

  @Test
  void aStrongCommitThatDoesNotWaitForItsForceIsFoundAtALossOfPower() {
    Alteration early =
        call ->
            call.proceedWith(
                Arrays.stream(call.arguments())
                    .map(each -> each == Durability.POWER_LOSS ? Durability.BACKGROUND : each)
                    .toArray());
    requireFound(() -> store(() -> early), POWER, "lost (D3)");
  }

  /// Weak commits may be lost; a store must not continue to name them.
  @Test
  void aRecoveryThatNamesCommitsItLostIsFound() {
    requireFound(
        () -> {
          var neverBack = new HighestLsn();
          return store(() -> neverBack);
        },
        POWER,
        "names a last commit that it does not hold (D2)");
  }

  /// Names the newest commit that there was in any life.
  private static final class HighestLsn implements Alteration {
    private long lsn;

    @Override
    public @Nullable Object answer(Call call) throws Throwable {
      if (!call.is(Store.class, "lastCommit")) {
        return call.proceed();
      }
      lsn = Math.max(lsn, ((Store) call.target()).lastCommit().lsn());
      return new Commit(lsn);
    }
  }

  private static boolean isPut(Call call) {
    return call.is(Space.class, "put", BYTES, BYTES);
  }

  /// The commit gets its LSN and is acknowledged, but the key keeps its value.
  @Test
  void aCommitThatIsSwallowedIsFound() {
    Alteration swallowing =
        call -> {
          byte[] old = isPut(call) ? ((Space) call.target()).get(key(call)) : null;
          return old == null ? call.proceed() : call.proceedWith(call.arguments()[0], old);
        };
    requireFound(() -> store(() -> swallowing), QUIET, "content is that of no prefix");
  }

  private static byte[] key(Call call) {
    return (byte[]) call.arguments()[0];
  }

  @Test
  void aGetThatGivesAnOlderValueIsFound() {
    requireFound(() -> store(OldValues::new), QUIET, "value read was not there");
  }

  /// Gives for a key the value that it had before the last call that may have changed it.
  private static final class OldValues implements Alteration {
    private final Map<String, byte[]> values = new HashMap<>();

    @Override
    public @Nullable Object answer(Call call) throws Throwable {
      if (!(call.target() instanceof Space space)
          || call.arguments().length == 0
          || !(call.arguments()[0] instanceof byte[] key)) {
        return call.proceed();
      }
      String name = space.name() + new String(key, ISO_8859_1);
      if (call.method().getName().equals("get")) {
        byte[] value = (byte[]) call.proceed();
        return value == null ? null : values.getOrDefault(name, value);
      }
      byte[] old = space.get(key);
      if (old != null && call.arguments().length > 1) {
        values.put(name, old);
      }
      return call.proceed();
    }
  }

  @Test
  void aSnapshotThatShowsAnOlderPointIsFound() {
    requireFound(() -> store(StaleSnapshots::new), QUIET, "snapshot ");
  }

  /// Lets each snapshot show what the one before it does.
  private static final class StaleSnapshots implements Alteration {
    private final Map<Object, Snapshot> shown = new IdentityHashMap<>();
    private @Nullable Snapshot before;

    @Override
    public @Nullable Object answer(Call call) throws Throwable {
      if (call.is(Store.class, "snapshot", Visibility.class)) {
        Snapshot taken = (Snapshot) call.proceed();
        shown.put(taken, before == null ? taken : before);
        before = ((Store) call.target()).snapshot();
        return taken;
      }
      Snapshot older = shown.get(call.target());
      boolean reads = older != null && call.method().getDeclaringClass() != Snapshot.class;
      return reads ? new Call(older, call.method(), call.arguments()).proceed() : call.proceed();
    }
  }

  /// Each of two commits is acknowledged with the position in the order that the other has.
  @Test
  void twoCommitsThatChangePlacesAreFound() {
    requireFound(() -> store(Swaps::new), FEW_STEPS, "content is that of no prefix");
  }

  /// Makes one put wait a little for another thread's, and each thread make the other's.
  private static final class Swaps implements Alteration {
    private static final int TURNS_MAX = 20;

    private @Nullable Call offered;
    private @Nullable Call taken;

    @Override
    public @Nullable Object answer(Call call) throws Throwable {
      if (!isPut(call)) {
        return call.proceed();
      }
      Call other = offered;
      if (other != null) {
        offered = null;
        taken = call;
        return other.proceed();
      }
      offered = call;
      for (int i = 0; i < TURNS_MAX && offered == call; i++) {
        Thread.yield();
      }
      Call mine = offered == call ? call : taken;
      offered = offered == call ? null : offered;
      return mine.proceed();
    }
  }

  /// The log serves weak commits before strong ones: a strong one waits for a pause of theirs.
  @Test
  void weakCommitsThatAreServedFirstAreFound() {
    requireFound(() -> store(WeakFirst::new), QUIET, "strong commit took too long (D5)");
  }

  /// Lets a strong put wait as long as weak ones are made.
  private static final class WeakFirst implements Alteration {
    /// A pause of weak commits, in turns.
    private static final int TURNS = 100;

    private long weak;

    @Override
    public @Nullable Object answer(Call call) throws Throwable {
      if (isPut(call) && !call.target().toString().endsWith("with POWER_LOSS")) {
        weak++;
      } else if (isPut(call)) {
        long seen;
        do {
          seen = weak;
          for (int i = 0; i < TURNS; i++) {
            Thread.yield();
          }
        } while (weak != seen);
      }
      return call.proceed();
    }
  }

  @Test
  void aTransactionThatIgnoresItsConflictIsFound() {
    requireFound(
        () -> store(IgnoredConflicts::new), QUIET, "commits though what it read has changed");
  }

  /// Makes the writes of a transaction again, and commits them, when what it read has changed.
  private static final class IgnoredConflicts implements Alteration {
    private final Map<Object, Store> stores = new IdentityHashMap<>();
    private final Map<Object, List<Call>> writes = new IdentityHashMap<>();

    @Override
    public @Nullable Object answer(Call call) throws Throwable {
      if (call.is(Store.class, "begin")) {
        Object begun = call.proceed();
        stores.put(begun, (Store) call.target());
        writes.put(begun, new ArrayList<>());
        return begun;
      }
      List<Call> before = writes.get(call.target());
      if (before == null) {
        return call.proceed();
      }
      if (!call.is(Transaction.class, "commit", Durability.class)) {
        if (call.method().getDeclaringClass() == Transaction.class) {
          before.add(call);
        }
        return call.proceed();
      }
      try {
        return call.proceed();
      } catch (ConflictException _) {
        Transaction again = stores.get(call.target()).begin();
        for (Call write : before) {
          new Call(again, write.method(), write.arguments()).proceed();
        }
        return new Call(again, call.method(), call.arguments()).proceed();
      }
    }
  }

  @Test
  void aRestoreThatLeavesTheLastCommitOutIsFound() {
    requireRestoreFound(state -> moved(state, -1, 0), "restore to a commit failed");
  }

  /// The commits of histories take some hundred bytes of log at least.
  @Test
  void aRestoreThatTakesTheNextCommitTooIsFound() {
    requireRestoreFound(state -> moved(state, 200, 0), "restore to a commit failed");
  }

  @Test
  void aRestoreToAnEarlierTimeIsFound() {
    requireRestoreFound(state -> moved(state, 0, -1000), "restore to a time failed");
  }

  @Test
  void aRestoreToALaterTimeIsFound() {
    requireRestoreFound(state -> moved(state, 0, 1000), "restore to a time failed");
  }

  private static void requireRestoreFound(UnaryOperator<RestoreTo> altered, String message) {
    Planted restoring =
        new Planted() {
          @Override
          public RestoreTo state(RestoreTo asked) {
            return altered.apply(asked);
          }
        };
    requireFound(() -> restoring, ONE_THREAD, message);
  }

  private static RestoreTo moved(RestoreTo state, long bytes, long millis) {
    return switch (state) {
      case RestoreTo.Newest _, RestoreTo.Point _ -> state;
      case RestoreTo.Commit(Commit(var lsn)) ->
          RestoreTo.commit(new Commit(Math.max(0, lsn + bytes)));
      case RestoreTo.Time(var time) -> RestoreTo.time(time.plusMillis(millis));
    };
  }

  private static boolean isItemCommit(Call call) {
    return call.is(ItemSpace.class, "commit", Durability.class);
  }

  @Test
  void aStrongCommitOfItemsThatDoesNotWaitForItsForceIsFound() {
    Alteration early =
        call -> isItemCommit(call) ? call.proceedWith(Durability.BACKGROUND) : call.proceed();
    requireFound(() -> store(() -> early), POWER, "lost (D3)");
  }

  /// It is acknowledged with the LSN of a commit that there was.
  @Test
  void aCommitOfItemsThatIsSwallowedIsFound() {
    Alteration swallowing =
        call ->
            isItemCommit(call) ? ((ItemSpace) call.target()).store().lastCommit() : call.proceed();
    requireFound(() -> store(() -> swallowing), QUIET, "a commit of items is lost (D2)");
  }

  @Test
  void aCommitOfItemsThatLeavesOneOutIsFound() {
    requireFound(() -> store(LateInserts::new), QUIET, "items are those of no state (D1)");
  }

  /// Makes an insert only when the commit after it is over.
  private static final class LateInserts implements Alteration {
    private @Nullable Call late;

    @Override
    public @Nullable Object answer(Call call) throws Throwable {
      if (call.is(ItemSpace.class, "insert", Item.class) && late == null) {
        late = call;
        return null;
      }
      if (!isItemCommit(call) || late == null) {
        return call.proceed();
      }
      Object commit = call.proceed();
      late.proceed();
      late = null;
      return commit;
    }
  }

  @Test
  void itemsThatSurviveWithoutACommitAreFound() {
    Alteration eager =
        call -> {
          Object result = call.proceed();
          if (call.is(ItemSpace.class, "insert", Item.class)) {
            ((ItemSpace) call.target()).commit();
          }
          return result;
        };
    requireFound(() -> store(() -> eager), QUIET, "items are there that no commit left so");
  }

  @Test
  void aRollbackThatDropsNothingIsFound() {
    Alteration kept = call -> call.is(ItemSpace.class, "rollback") ? null : call.proceed();
    requireFound(() -> store(() -> kept), QUIET, "no commit left so: after a rollback");
  }

  @Test
  void aSnapshotOfItemsThatIsOldIsFound() {
    requireFound(() -> store(StaleItems::new), QUIET, "items read were never so: call=snapshot");
  }

  /// Lets each snapshot of items show what the one before it did.
  private static final class StaleItems implements Alteration {
    private @Nullable ItemSnapshot before;

    @Override
    public @Nullable Object answer(Call call) throws Throwable {
      if (!call.is(ItemSpace.class, "snapshot")) {
        return call.proceed();
      }
      ItemSnapshot shown = before == null ? (ItemSnapshot) call.proceed() : before;
      before = (ItemSnapshot) call.proceed();
      return shown;
    }
  }

  /// Of the last call of a life, after which no other asks.
  @Test
  void aStageThatGivesAnotherLsnIsFound() {
    requireFound(
        () -> stages(stage -> stage.thenApply(commit -> new Commit(commit.lsn() - 1))),
        ONE_STEP,
        "stage gave the LSN of another commit");
  }

  @Test
  void aStageThatFailsWithoutAFaultIsFound() {
    requireFound(
        () -> stages(_ -> CompletableFuture.failedFuture(new IllegalStateException("planted"))),
        ONE_STEP,
        "unexpected answer of a stage");
  }

  @Test
  void aStageThatNeverCompletesIsFound() {
    requireFound(() -> stages(_ -> new CompletableFuture<>()), ONE_STEP, "stages never completed");
  }

  private static Planted stages(UnaryOperator<CompletionStage<Commit>> altered) {
    Alteration alteration =
        call ->
            call.is(AsyncSpace.class, "put", BYTES, BYTES)
                ? altered.apply(
                    ((AsyncSpace) call.target()).put(key(call), (byte[]) call.arguments()[1]))
                : call.proceed();
    return store(() -> alteration);
  }
}
