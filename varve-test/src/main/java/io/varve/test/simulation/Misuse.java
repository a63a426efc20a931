package io.varve.test.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreClosedException;
import io.varve.StoreLockedException;
import io.varve.Transaction;
import io.varve.VarveException;
import io.varve.test.Change;
import io.varve.test.SimulatedStore;
import io.varve.test.simulation.Calls.Effect;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Steps that use a store as no program should: calls within calls, functions that throw or wait
/// for another thread, a second open, and what has ended. Each gives the answer that is documented,
/// and everything else continues. The space is one that this actor alone changes.
final class Misuse {
  private final Calls calls;
  private final Choices choices;
  private final Machine machine;
  private final String name;
  private final String innerName;

  /// @param owner the number of the actor
  Misuse(Calls calls, Choices choices, Machine machine, int owner) {
    this.calls = calls;
    this.choices = choices;
    this.machine = machine;
    this.name = "misused-" + owner;
    this.innerName = "inner-" + owner;
  }

  /// What a function of a user throws.
  @SuppressWarnings("serial")
  private static final class PlannedException extends RuntimeException {}

  @SuppressWarnings("serial")
  private static final class PlannedError extends Error {}

  void step() {
    Space space = space(name);
    Space inner = space(innerName);
    byte[] key = choices.key();
    put(space, key, choices.value());
    switch (choices.number(15)) {
      case 0 -> throwInBody(space);
      case 1 -> throwInDecoder(space, key);
      case 2 -> throwInMerge(space, key);
      case 3 -> {
        if (!choices.logsValues()) {
          throwInStream(space, key);
        }
      }
      case 4 -> transactInBody(space, inner);
      case 5 -> commitWhatTheBodyReads(space, key);
      case 6 -> putInDecoder(space, inner, key);
      case 7 -> putInMerge(space, key);
      case 8 -> snapshotInBody(space, key);
      case 9 -> waitInBody(space);
      case 10 -> waitInFunction(space, key);
      case 11 -> openAgain();
      case 12 -> useAfterCommit(space);
      case 13 -> useAfterClose(space);
      default -> closeInRead(space);
    }
  }

  private Space space(String of) {
    return calls.call("space", Effect.NONE, () -> calls.store().space(of)).result();
  }

  private void put(Space space, byte[] key, byte[] value) {
    calls.commit(
        "put",
        Durability.BACKGROUND,
        putting(space, key, value),
        () -> space.with(Durability.BACKGROUND).put(key, value));
  }

  private static Effect putting(Space space, byte[] key, byte[] value) {
    return _ -> List.of(new Change.Put(space.name(), key, value));
  }

  private NavigableMap<byte[], byte[]> entries(String of) {
    return calls.timeline().now().entries(of, Range.all());
  }

  // --- functions that throw -------------------------------------------------------------------

  /// What a function throws comes out of the call as it is.
  private Throwable planned() {
    return switch (choices.number(3)) {
      case 0 -> new PlannedException();
      case 1 -> new PlannedError();
      default -> new StackOverflowError("planned");
    };
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> RuntimeException sneaky(Throwable e) throws E {
    throw (E) e;
  }

  /// Makes a call that must throw `planned`, and change nothing.
  private void requireThrown(String what, Throwable planned, Runnable call) {
    boolean refused =
        calls
            .call(
                what,
                _ -> {
                  throw new AssertionError("call commits though its function threw: " + what);
                },
                () -> {
                  try {
                    call.run();
                  } catch (VarveException e) {
                    throw e;
                  } catch (RuntimeException | Error e) {
                    if (!e.equals(planned)) {
                      throw e;
                    }
                    return false;
                  }
                  return true;
                })
            .result();
    if (refused) {
      throw new AssertionError("what a function threw was lost: call=" + what);
    }
  }

  private void throwInBody(Space space) {
    Throwable planned = planned();
    requireThrown(
        "transact that throws",
        planned,
        () ->
            calls
                .store()
                .transact(transaction -> {
                  transaction.get(space, choices.key());
                  transaction.put(space, choices.key(), choices.value());
                  throw Misuse.<RuntimeException>sneaky(planned);
                }));
  }

  private void throwInDecoder(Space space, byte[] key) {
    Throwable planned = planned();
    requireThrown(
        "get that throws",
        planned,
        () ->
            space.get(
                key,
                _ -> {
                  throw Misuse.<RuntimeException>sneaky(planned);
                }));
  }

  private void throwInMerge(Space space, byte[] key) {
    Throwable planned = planned();
    requireThrown(
        "merge that throws",
        planned,
        () ->
            space.merge(
                key,
                key,
                (_, _) -> {
                  throw Misuse.<RuntimeException>sneaky(planned);
                }));
  }

  /// The stream fails, or ends early: its failure is given as a cause, or as it is.
  private void throwInStream(Space space, byte[] key) {
    byte[] some = choices.value();
    boolean fails = choices.oneIn(2);
    InputStream stream =
        new ByteArrayInputStream(some) {
          @Override
          public synchronized int read(byte[] target, int offset, int length) {
            calls.threads().giveTurn();
            int count = super.read(target, offset, length);
            if (count < 0 && fails) {
              throw new UncheckedIOException(new IOException("planned"));
            }
            return count;
          }
        };
    boolean thrown =
        calls
            .call(
                "put of a stream that ends early",
                _ -> {
                  throw new AssertionError("a stream that ended early was put");
                },
                () -> {
                  try {
                    space.put(key, stream, some.length + 1L + choices.number(100_000));
                    return false;
                  } catch (UncheckedIOException _) {
                    return true;
                  }
                })
            .result();
    if (!thrown) {
      throw new AssertionError("a stream that ended early was taken");
    }
  }

  // --- calls within calls ---------------------------------------------------------------------

  /// What the body commits otherwise stays, and comes first.
  private void transactInBody(Space space, Space inner) {
    byte[] key = choices.key();
    byte[] value = choices.value();
    calls.commit(
        "transact around another",
        Durability.BACKGROUND,
        putting(space, key, value),
        () ->
            calls
                .store()
                .transact(
                    Durability.BACKGROUND,
                    transaction -> {
                      transaction.put(space, key, value);
                      byte[] other = choices.value();
                      calls.commit(
                          "transact inside",
                          Durability.BACKGROUND,
                          putting(inner, key, other),
                          () ->
                              calls
                                  .store()
                                  .transact(
                                      Durability.BACKGROUND,
                                      within -> within.put(inner, key, other)));
                    }));
  }

  /// It would never end, and is refused.
  private void commitWhatTheBodyReads(Space space, byte[] key) {
    boolean ended =
        calls
            .call(
                "transact against itself",
                _ -> {
                  throw new AssertionError("transaction commits over its thread's own commit");
                },
                () -> {
                  try {
                    calls
                        .store()
                        .transact(transaction -> {
                          transaction.get(space, key);
                          transaction.put(space, choices.key(), key);
                          // A value that is there already would be no change, and so no conflict.
                          put(space, key, choices.label().getBytes(UTF_8));
                        });
                    return false;
                  } catch (IllegalStateException _) {
                    return true;
                  }
                })
            .result();
    if (!ended) {
      throw new AssertionError("transaction against itself was not refused");
    }
  }

  private void putInDecoder(Space space, Space inner, byte[] key) {
    byte[] expected = entries(name).get(key);
    byte @Nullable [] found =
        calls
            .call(
                "get that puts",
                Effect.NONE,
                () ->
                    space.get(
                        key,
                        value -> {
                          byte[] copy = value.toArray(ValueLayout.JAVA_BYTE);
                          put(inner, key, choices.value());
                          return copy;
                        }))
            .result();
    require(Arrays.equals(found, expected), "get that puts");
  }

  /// The function runs again, since the value has changed.
  private void putInMerge(Space space, byte[] key) {
    byte[] given = choices.value();
    AtomicBoolean first = new AtomicBoolean(true);
    byte[][] merged = new byte[1][];
    calls.call(
        "merge that puts",
        _ -> List.of(new Change.Put(name, key, merged[0])),
        () ->
            space.merge(
                key,
                given,
                (old, value) -> {
                  if (first.getAndSet(false)) {
                    put(space, key, choices.value());
                  }
                  merged[0] = Arrays.copyOf(value, value.length + old.length % 7);
                  return merged[0];
                }));
  }

  private void snapshotInBody(Space space, byte[] key) {
    byte[] before = entries(name).get(key);
    byte[] value = choices.value();
    calls.commit(
        "transact around a snapshot",
        Durability.BACKGROUND,
        putting(space, key, value),
        () ->
            calls
                .store()
                .transact(
                    Durability.BACKGROUND,
                    transaction -> {
                      transaction.put(space, key, value);
                      try (Snapshot snapshot = calls.store().snapshot()) {
                        calls.threads().giveTurn();
                        require(
                            Arrays.equals(snapshot.get(space, key), before), "snapshot in a body");
                      }
                      require(Arrays.equals(transaction.get(space, key), value), "body");
                    }));
  }

  // --- functions that wait --------------------------------------------------------------------

  private void waitInBody(Space space) {
    byte[] key = choices.key();
    byte[] value = choices.value();
    calls.commit(
        "transact that waits",
        Durability.BACKGROUND,
        putting(space, key, value),
        () ->
            calls
                .store()
                .transact(
                    Durability.BACKGROUND,
                    transaction -> {
                      transaction.put(space, key, value);
                      awaitOther();
                    }));
  }

  private void waitInFunction(Space space, byte[] key) {
    if (choices.oneIn(2)) {
      byte[] expected = entries(name).get(key);
      byte @Nullable [] found =
          calls
              .call(
                  "get that waits",
                  Effect.NONE,
                  () ->
                      space.get(
                          key,
                          value -> {
                            byte[] copy = value.toArray(ValueLayout.JAVA_BYTE);
                            awaitOther();
                            return copy;
                          }))
              .result();
      require(Arrays.equals(found, expected), "get that waits");
      return;
    }
    byte[] given = choices.value();
    calls.call(
        "merge that waits",
        putting(space, key, given),
        () ->
            space.merge(
                key,
                given,
                (_, value) -> {
                  awaitOther();
                  return value;
                }));
  }

  /// Waits until another thread has put something where all do.
  private void awaitOther() {
    String shared = choices.space();
    byte[] key = choices.key();
    byte[] value = choices.value();
    Thread other =
        calls
            .threads()
            .start(
                "helper",
                () -> {
                  try {
                    put(space(shared), key, value);
                  } catch (CallRefusedException _) {
                    // as it may
                  }
                });
    Machine.join(other);
  }

  // --- what has ended, or has begun -----------------------------------------------------------

  private void openAgain() {
    calls.call(
        "second open",
        Effect.NONE,
        () -> {
          try (Store second =
              SimulatedStore.open(machine.disk(), calls.threads(), calls.store().options())) {
            throw new AssertionError("store was opened twice: commit=" + second.lastCommit());
          } catch (StoreLockedException _) {
            return true;
          }
        });
  }

  private void useAfterCommit(Space space) {
    Transaction transaction =
        calls.call("begin", Effect.NONE, () -> calls.store().begin()).result();
    byte[] key = choices.key();
    byte[] value = choices.value();
    Cursor[] cursor = new Cursor[1];
    calls.call(
        "body",
        Effect.NONE,
        () -> {
          transaction.put(space, key, value);
          cursor[0] = transaction.cursor(space, Range.all());
          return cursor[0].first();
        });
    boolean commits = choices.oneIn(2);
    if (commits) {
      calls.commit(
          "commit",
          Durability.BACKGROUND,
          putting(space, key, value),
          () -> transaction.commit(Durability.BACKGROUND));
    } else {
      transaction.close();
    }
    requireEnded("get of a transaction", () -> transaction.get(space, key));
    requireEnded("put of a transaction", () -> transaction.put(space, key, value));
    requireEnded("second commit", transaction::commit);
    requireEnded("cursor of a transaction", cursor[0]::next);
    transaction.close();
    cursor[0].close();
  }

  private void useAfterClose(Space space) {
    Cursor[] cursors = new Cursor[2];
    Snapshot[] snapshot = new Snapshot[1];
    calls.call(
        "cursors",
        Effect.NONE,
        () -> {
          snapshot[0] = calls.store().snapshot();
          cursors[0] = snapshot[0].cursor(space, Range.all());
          cursors[1] = space.cursor(Range.all());
          cursors[0].first();
          return cursors[1].first();
        });
    snapshot[0].close();
    cursors[1].close();
    requireEnded("snapshot", () -> snapshot[0].get(space, choices.key()));
    requireEnded("cursor of a snapshot", cursors[0]::next);
    requireEnded("cursor", cursors[1]::next);
    requireEnded("value of a cursor", cursors[1]::value);
    snapshot[0].close();
    cursors[0].close();
  }

  /// A snapshot is closed by a function that reads it.
  private void closeInRead(Space space) {
    byte[] key = choices.key();
    calls.call(
        "get that closes its snapshot",
        Effect.NONE,
        () -> {
          Snapshot snapshot = calls.store().snapshot();
          try {
            snapshot.get(
                space,
                key,
                _ -> {
                  snapshot.close();
                  return true;
                });
            return true;
          } catch (StoreClosedException _) {
            return false;
          } finally {
            snapshot.close();
          }
        });
  }

  private void requireEnded(String what, Runnable use) {
    calls.call(
        what,
        Effect.NONE,
        () -> {
          try {
            use.run();
          } catch (StoreClosedException | IllegalStateException _) {
            return true;
          }
          throw new AssertionError("what has ended could be used: " + what);
        });
  }

  private void require(boolean right, String what) {
    if (!right && !calls.isOver()) {
      throw new AssertionError("misuse gave another answer: call=" + what);
    }
  }
}
