package io.varve.test;

import io.varve.Durability;
import io.varve.Range;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// The commits of one writer, one after the other, all from a seed: the same seed gives the same
/// commits, in this process or another. It keeps a model of the writer's own keys, and so knows
/// what the store must answer. It makes every commit bring them to a state that they were never in.
///
/// For one thread.
public final class RandomCommits {
  private static final int KEY_PADDING_MAX = 40;
  private static final int LONG_KEY_PADDING_MAX = 700;

  private final String prefix;
  private final Range ownRange;
  private final Workload workload;
  private final SplittableRandom random;
  private final Set<Long> statesSeen = new HashSet<>();
  private Model own = new Model();
  private long count;

  /// Makes the commits of the writer whose own keys start with `prefix`.
  public RandomCommits(long seed, String prefix, Workload workload) {
    this.prefix = prefix;
    this.ownRange = Range.prefix(prefix.getBytes(StandardCharsets.UTF_8));
    this.workload = workload;
    this.random = new SplittableRandom(seed ^ prefix.hashCode());
    statesSeen.add(own.digest());
  }

  /// The next commit. It follows from those that were accepted so far.
  public RandomCommit next() {
    count++;
    RandomCommit commit = pick();
    return isNewState(commit) ? commit : putOne();
  }

  /// The commit was applied, or is under way: the next one builds on it.
  public void accept(RandomCommit commit) {
    applyOwn(commit, own);
    statesSeen.add(own.digest());
  }

  /// Continues from what a store holds, say after a crash.
  public void resume(Model recovered) {
    own = recovered.filter(ownRange::contains);
    statesSeen.clear();
    statesSeen.add(own.digest());
  }

  private boolean isNewState(RandomCommit commit) {
    Model after = own.copy();
    applyOwn(commit, after);
    return !statesSeen.contains(after.digest());
  }

  private void applyOwn(RandomCommit commit, Model model) {
    commit.changes().stream().filter(change -> change.isWithin(ownRange)).forEach(model::apply);
  }

  private RandomCommit pick() {
    String space = pickSpace();
    byte[] key = ownKey();
    byte @Nullable [] old = own.get(space, key);
    byte[] value = value();
    int dice = random.nextInt(100);
    if (dice < 25) {
      return put(RandomCommit.Kind.PUT, space, key, value, old);
    }
    if (dice < 32) {
      return put(RandomCommit.Kind.PUT_ASYNC, space, key, value, old);
    }
    if (dice < 36) {
      return put(RandomCommit.Kind.PUT_STREAM, space, key, value, old);
    }
    if (dice < 40) {
      return put(RandomCommit.Kind.GET_AND_PUT, space, key, value, old);
    }
    if (dice < 44) {
      return put(RandomCommit.Kind.COMPARE_AND_SET, space, key, value, old);
    }
    if (dice < 48) {
      return put(RandomCommit.Kind.MERGE, space, key, value, old);
    }
    if (dice < 66) {
      return old == null
          ? put(RandomCommit.Kind.PUT_IF_ABSENT, space, key, value, null)
          : delete(space, key, old);
    }
    if (dice < 70) {
      return deleteRange(space);
    }
    return transaction();
  }

  private RandomCommit put(
      RandomCommit.Kind kind, String space, byte[] key, byte[] value, byte @Nullable [] old) {
    return new RandomCommit(kind, List.of(new Change.Put(space, key, value)), durability(), old);
  }

  private RandomCommit putOne() {
    return put(RandomCommit.Kind.PUT, pickSpace(), ownKey(), value(), null);
  }

  private RandomCommit delete(String space, byte[] key, byte[] old) {
    RandomCommit.Kind kind =
        switch (random.nextInt(3)) {
          case 0 -> RandomCommit.Kind.DELETE;
          case 1 -> RandomCommit.Kind.DELETE_ASYNC;
          default -> RandomCommit.Kind.GET_AND_DELETE;
        };
    return new RandomCommit(kind, List.of(new Change.Delete(space, key)), durability(), old);
  }

  /// Removes a run of own keys that is not empty, or puts where there is none.
  private RandomCommit deleteRange(String space) {
    List<byte[]> keys = List.copyOf(own.entries(space).keySet());
    if (keys.isEmpty()) {
      return putOne();
    }
    int first = random.nextInt(keys.size());
    int last = Math.min(keys.size() - 1, first + random.nextInt(8));
    Range range = Range.closed(keys.get(first), keys.get(last));
    return new RandomCommit(
        RandomCommit.Kind.DELETE_RANGE,
        List.of(new Change.DeleteRange(space, range)),
        durability(),
        null);
  }

  /// Puts one own key and makes some more changes to own and shared keys.
  private RandomCommit transaction() {
    int size = random.nextInt(10) == 0 ? workload.transactionChangesMax() : 5;
    List<Change> changes = new ArrayList<>();
    for (int more = random.nextInt(size); more > 0; more--) {
      boolean shared = workload.sharedKeys() > 0 && random.nextBoolean();
      byte[] key = shared ? sharedKey() : ownKey();
      changes.add(
          random.nextInt(3) == 0
              ? new Change.Delete(pickSpace(), key)
              : new Change.Put(pickSpace(), key, value()));
    }
    changes.add(new Change.Put(pickSpace(), ownKey(), value()));
    return new RandomCommit(
        random.nextInt(4) == 0
            ? RandomCommit.Kind.TRANSACTION_ASYNC
            : RandomCommit.Kind.TRANSACTION,
        changes,
        durability(),
        null);
  }

  private String pickSpace() {
    return workload.spaces().get(random.nextInt(workload.spaces().size()));
  }

  private Durability durability() {
    return workload.durabilities().get(random.nextInt(workload.durabilities().size()));
  }

  private byte[] ownKey() {
    return key(prefix, random.nextInt(workload.ownKeys()));
  }

  private byte[] sharedKey() {
    return key("shared/", random.nextInt(workload.sharedKeys()));
  }

  /// A key whose length follows from its number, so that the same number is the same key.
  private static byte[] key(String start, int number) {
    int padding =
        number % 17 == 0 ? number * 31 % LONG_KEY_PADDING_MAX : number * 7 % KEY_PADDING_MAX;
    return (start + number + "-".repeat(padding)).getBytes(StandardCharsets.UTF_8);
  }

  /// A value that no other commit writes: the writer and its count come first.
  private byte[] value() {
    String start = prefix + count + "/" + random.nextInt(1 << 20) + "=";
    byte[] name = start.getBytes(StandardCharsets.UTF_8);
    int length =
        switch (random.nextInt(50)) {
          case 0 -> random.nextInt(workload.valueBytesMax());
          case 1, 2, 3 -> random.nextInt(Math.min(4000, workload.valueBytesMax()));
          case 4, 5, 6, 7, 8, 9 -> random.nextInt(Math.min(600, workload.valueBytesMax()));
          default -> random.nextInt(60);
        };
    byte[] value = Arrays.copyOf(name, Math.max(name.length, length));
    for (int i = name.length; i < value.length; i += 8) {
      value[i] = (byte) random.nextInt();
    }
    return value;
  }
}
