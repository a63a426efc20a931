package io.varve.test.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Commit;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Written;
import io.varve.spi.NonBlockingSpace;
import io.varve.test.Change;
import io.varve.test.simulation.Calls.Done;
import io.varve.test.simulation.Calls.Effect;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Steps that change a single space, each one commit or none. What a call returns of the value
/// before must be what was there when its commit was applied.
final class Writes {
  private final Calls calls;
  private final Choices choices;
  private final Durability byDefault;

  Writes(Calls calls, Choices choices) {
    this.calls = calls;
    this.choices = choices;
    this.byDefault = calls.store().options().durability();
  }

  void step() {
    String name = choices.space();
    Space space = calls.call("space", Effect.NONE, () -> calls.store().space(name)).result();
    byte[] key = choices.key();
    switch (choices.number(20)) {
      case 0, 1, 2, 3, 4 -> put(space, key, choices.value());
      case 5, 6 -> putAsync(space, key, choices.value());
      case 7 -> {
        if (!choices.logsValues()) {
          putStream(space, key, choices.value());
        }
      }
      case 8, 9 -> delete(space, key);
      case 10 -> deleteAsync(space, key);
      case 11, 12 -> getAndPut(space, key, choices.value());
      case 13 -> putIfAbsent(space, key, choices.value());
      case 14, 15 -> compareAndSet(space, key);
      case 16, 17 -> merge(space, key, choices.value());
      case 18 -> getAndDelete(space, key);
      default -> deleteSome(space, choices.range());
    }
  }

  /// Moves entries of a leaf, and waits for no disk.
  void changeWeakly() {
    String name = choices.space();
    Space space = calls.call("space", Effect.NONE, () -> calls.store().space(name)).result();
    byte[] key = choices.key();
    if (choices.oneIn(3)) {
      calls.commit(
          "delete weakly",
          Durability.BACKGROUND,
          deleting(space, key),
          () -> space.with(Durability.BACKGROUND).delete(key));
      return;
    }
    byte[] value = (choices.label() + "=".repeat(choices.number(60))).getBytes(UTF_8);
    requireCommit(
        calls.commit(
            "put weakly",
            Durability.BACKGROUND,
            putting(space, key, value),
            () -> space.with(Durability.BACKGROUND).put(key, value)));
  }

  private void put(Space space, byte[] key, byte[] value) {
    Durability durability = choices.durability();
    requireCommit(
        calls.commit(
            "put",
            durability,
            putting(space, key, value),
            () -> space.with(durability).put(key, value)));
  }

  private void putAsync(Space space, byte[] key, byte[] value) {
    calls.commitAsync(
        "putAsync",
        byDefault,
        putting(space, key, value),
        () ->
            ifTried(
                value.length,
                () -> NonBlockingSpace.of(space).tryPut(key, value),
                () -> space.async().put(key, value)));
  }

  /// Half of the calls are tried first without waiting.
  private static CompletionStage<Commit> ifTried(
      int choice,
      Supplier<@Nullable CompletionStage<Commit>> trying,
      Supplier<CompletionStage<Commit>> waiting) {
    CompletionStage<Commit> tried = (choice & 1) == 0 ? trying.get() : null;
    return tried != null ? tried : waiting.get();
  }

  private void putStream(Space space, byte[] key, byte[] value) {
    if (isAsync(key)) {
      calls.commitAsync(
          "put stream async",
          byDefault,
          putting(space, key, value),
          () -> space.async().put(key, slowly(value), value.length));
      return;
    }
    requireCommit(
        calls.commit(
            "put stream",
            byDefault,
            putting(space, key, value),
            () -> space.put(key, slowly(value), value.length)));
  }

  /// A stream whose reader gives others a turn, as one of a socket would.
  private InputStream slowly(byte[] value) {
    return new ByteArrayInputStream(value) {
      @Override
      public synchronized int read(byte[] target, int offset, int length) {
        calls.threads().giveTurn();
        return super.read(target, offset, length);
      }
    };
  }

  private void delete(Space space, byte[] key) {
    Durability durability = choices.durability();
    calls.commit(
        "delete", durability, deleting(space, key), () -> space.with(durability).delete(key));
  }

  private void deleteAsync(Space space, byte[] key) {
    calls.commitAsync(
        "deleteAsync",
        byDefault,
        deleting(space, key),
        () ->
            ifTried(
                Arrays.hashCode(key),
                () -> NonBlockingSpace.of(space).tryDelete(key),
                () -> space.async().delete(key)));
  }

  /// Whether a change of a key is awaited by a stage. It depends on the key: so the choices of
  /// other steps stay as they are.
  private static boolean isAsync(byte[] key) {
    return (Arrays.hashCode(key) & 2) == 0;
  }

  /// Makes a change whose stage gives a value.
  ///
  /// @param requirement of that value, where the change was made
  private <T extends @Nullable Object> void async(
      String what,
      Effect effect,
      Supplier<CompletionStage<Written<T>>> work,
      Consumer<T> requirement) {
    var value = new StageValue<>(requirement);
    calls.commitAsync(what, byDefault, effect, () -> work.get().thenApply(value::given));
    value.effectIsKnown();
  }

  /// The value of a stage, which may complete before the effect of its call is known.
  private static final class StageValue<T extends @Nullable Object> {
    private static final Commit NONE = new Commit(0);

    private final Consumer<T> requirement;
    private @Nullable Written<T> written;
    private boolean effectIsKnown;

    StageValue(Consumer<T> requirement) {
      this.requirement = requirement;
    }

    Commit given(Written<T> result) {
      written = result;
      check();
      return result.commit() == null ? NONE : result.commit();
    }

    void effectIsKnown() {
      effectIsKnown = true;
      check();
    }

    private void check() {
      Written<T> given = written;
      if (effectIsKnown && given != null && given.commit() != null) {
        requirement.accept(given.value());
      }
    }
  }

  private void getAndPut(Space space, byte[] key, byte[] value) {
    var effect = new Replacing(space, key, _ -> value);
    if (isAsync(key)) {
      this.<byte @Nullable []>async(
          "getAndPut async",
          effect,
          () -> space.async().getAndPut(key, value),
          found -> requireSame("getAndPut", effect.old, found));
      return;
    }
    Done<byte @Nullable []> done =
        acknowledged("getAndPut", effect, () -> space.getAndPut(key, value));
    requireCommit(done);
    requireSame("getAndPut", effect.old, done.result());
  }

  private void putIfAbsent(Space space, byte[] key, byte[] value) {
    var effect = new Replacing(space, key, old -> requireAbsent(old, value));
    if (isAsync(key)) {
      this.<byte @Nullable []>async(
          "putIfAbsent async",
          effect,
          () -> space.async().putIfAbsent(key, value),
          found -> requireSame("putIfAbsent", null, found));
      return;
    }
    Done<byte @Nullable []> done =
        acknowledged("putIfAbsent", effect, () -> space.putIfAbsent(key, value));
    byte[] found = done.result();
    if (done.committed() != (found == null)) {
      throw new AssertionError("putIfAbsent returns that it put, or not, and did otherwise");
    }
    if (found != null) {
      requireRead(done, space, key, found);
    }
  }

  private static byte[] requireAbsent(byte @Nullable [] old, byte[] value) {
    if (old != null) {
      throw new AssertionError("putIfAbsent replaced a value that was there");
    }
    return value;
  }

  private void compareAndSet(Space space, byte[] key) {
    byte[] expected = calls.call("get", Effect.NONE, () -> space.get(key)).result();
    byte[] update = choices.oneIn(5) ? null : choices.value();
    calls.threads().giveTurn();
    var effect =
        new Replacing(
            space,
            key,
            old -> {
              requireSame("compareAndSet", old, expected);
              return update;
            });
    if (isAsync(key)) {
      async(
          "compareAndSet async",
          effect,
          () -> space.async().compareAndSet(key, expected, update),
          Writes::requireTrue);
      return;
    }
    Done<Boolean> done =
        acknowledged("compareAndSet", effect, () -> space.compareAndSet(key, expected, update));
    boolean nothingToDelete = expected == null && update == null;
    if (done.committed() != done.result() && !nothingToDelete) {
      throw new AssertionError("compareAndSet returns that it set, or not, and did otherwise");
    }
    if (!done.result() && neverOther(done, space, key, expected)) {
      throw new AssertionError("compareAndSet found another value where there was none");
    }
  }

  /// Whether a key had one value all the time that a call took.
  private boolean neverOther(Done<?> done, Space space, byte[] key, byte @Nullable [] value) {
    return calls.timeline().pointsWithin(done.fromLsn(), done.toLsn()).stream()
        .allMatch(lsn -> Arrays.equals(calls.timeline().at(lsn, space.name(), key), value));
  }

  private void merge(Space space, byte[] key, byte[] value) {
    boolean deletes = choices.oneIn(6);
    BinaryOperator<byte @Nullable []> remapping =
        (old, given) -> {
          calls.threads().giveTurn();
          return deletes ? null : joined(old, given);
        };
    var effect =
        new Replacing(space, key, old -> old == null ? value : deletes ? null : joined(old, value));
    if (isAsync(key)) {
      this.<byte @Nullable []>async(
          "merge async",
          effect,
          () -> space.async().merge(key, value, remapping),
          found -> requireSame("merge", effect.update, found));
      return;
    }
    Done<byte @Nullable []> done =
        acknowledged("merge", effect, () -> space.merge(key, value, remapping));
    requireCommit(done);
    requireSame("merge", effect.update, done.result());
  }

  /// A value that shows which one it replaced, and is no longer than the two.
  private static byte[] joined(byte @Nullable [] old, byte @Nullable [] value) {
    if (old == null || value == null) {
      throw new AssertionError("merge gave its function no value");
    }
    byte[] joined = Arrays.copyOf(value, value.length + Math.min(old.length, 40));
    System.arraycopy(old, 0, joined, value.length, joined.length - value.length);
    return joined;
  }

  private void getAndDelete(Space space, byte[] key) {
    var effect = new Replacing(space, key, _ -> null);
    if (isAsync(key)) {
      this.<byte @Nullable []>async(
          "getAndDelete async",
          effect,
          () -> space.async().getAndDelete(key),
          found -> requireSame("getAndDelete", effect.old, found));
      return;
    }
    Done<byte @Nullable []> done =
        acknowledged("getAndDelete", effect, () -> space.getAndDelete(key));
    if (done.committed()) {
      requireSame("getAndDelete", effect.old, done.result());
    } else {
      requireRead(done, space, key, null);
      requireSame("getAndDelete", null, done.result());
    }
  }

  /// Of some ranges, clears the space. Which ones depends on the range: so the choices of other
  /// steps stay as they are.
  private void deleteSome(Space space, Range range) {
    int choice = Math.floorMod(Arrays.hashCode(range.from()), 8);
    if (choice == 0) {
      deleteRange(space, Range.all(), space::clear);
    } else if (choice == 1) {
      deleteRangeAsync(space, Range.all(), () -> space.async().clear());
    } else if (choice < 4) {
      deleteRangeAsync(space, range, () -> space.async().deleteRange(range));
    } else {
      deleteRange(space, range, () -> space.deleteRange(range));
    }
  }

  private void deleteRange(Space space, Range range, Supplier<Long> work) {
    long[] count = new long[1];
    Effect effect =
        before -> {
          count[0] = before.now().entries(space.name(), range).size();
          return List.of(new Change.DeleteRange(space.name(), range));
        };
    Done<Long> done = acknowledged("deleteRange", effect, work);
    if (done.result() != count[0]) {
      throw new AssertionError(
          "deleteRange gives another number of keys: found=%d, expected=%d, committed=%b"
              .formatted(done.result(), count[0], done.committed()));
    }
  }

  private void deleteRangeAsync(
      Space space, Range range, Supplier<CompletionStage<Written<Long>>> work) {
    long[] count = new long[1];
    async(
        "deleteRange async",
        before -> {
          count[0] = before.now().entries(space.name(), range).size();
          return List.of(new Change.DeleteRange(space.name(), range));
        },
        work,
        found -> {
          if (found != count[0]) {
            throw new AssertionError(
                "deleteRange gives another number of keys: found=%d, expected=%d"
                    .formatted(found, count[0]));
          }
        });
  }

  private static void requireTrue(boolean isSet) {
    if (!isSet) {
      throw new AssertionError("compareAndSet made a commit and returns that it did not set");
    }
  }

  private <T extends @Nullable Object> Done<T> acknowledged(
      String what, Effect effect, Supplier<T> work) {
    long startNanos = calls.threads().nanoTime();
    Done<T> done = calls.call(what, effect, work);
    calls.acknowledged(done, byDefault, startNanos);
    return done;
  }

  private static Effect putting(Space space, byte[] key, byte[] value) {
    return _ -> List.of(new Change.Put(space.name(), key, value));
  }

  private static Effect deleting(Space space, byte[] key) {
    return _ -> List.of(new Change.Delete(space.name(), key));
  }

  private void requireRead(Done<?> done, Space space, byte[] key, byte @Nullable [] value) {
    if (!calls.timeline().wasWithin(done.fromLsn(), done.toLsn(), space.name(), key, value)) {
      throw new AssertionError("call found a value that was not there");
    }
  }

  private static void requireCommit(Done<?> done) {
    if (!done.committed()) {
      throw new AssertionError("call returned without a commit");
    }
  }

  private static void requireSame(
      String what, byte @Nullable [] expected, byte @Nullable [] found) {
    if (!Arrays.equals(expected, found)) {
      throw new AssertionError(what + ": value is not what was there at its commit");
    }
  }

  /// A change of one key that depends on the value it replaces; notes both.
  private static final class Replacing implements Effect {
    private final Space space;
    private final byte[] key;
    private final Function<byte @Nullable [], byte @Nullable []> updating;
    private byte @Nullable [] old;
    private byte @Nullable [] update;

    Replacing(Space space, byte[] key, Function<byte @Nullable [], byte @Nullable []> updating) {
      this.space = space;
      this.key = key;
      this.updating = updating;
    }

    @Override
    public List<Change> of(Timeline before) {
      old = before.now().get(space.name(), key);
      update = updating.apply(old);
      return List.of(
          update == null
              ? new Change.Delete(space.name(), key)
              : new Change.Put(space.name(), key, update));
    }
  }
}
