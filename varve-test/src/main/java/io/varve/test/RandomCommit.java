package io.varve.test;

import io.varve.Commit;
import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.Transaction;
import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// One commit of [RandomCommits]: how it is made, what it changes, and what must have been there.
///
/// @param kind the call that makes it
/// @param changes what it changes; one change unless it is a transaction
/// @param durability what it asks for, where the call lets it ask
/// @param old the value that the changed key has before, of a call that returns it, or null
@SuppressWarnings("exports") // of Nullable: for the tools of a program that has it, no one needs it
public record RandomCommit(
    Kind kind, List<Change> changes, Durability durability, byte @Nullable [] old) {
  /// The call that makes a commit.
  public enum Kind {
    /// [Space#put(byte[], byte[])].
    PUT,
    /// [io.varve.AsyncSpace#put].
    PUT_ASYNC,
    /// [Space#put(byte[], java.io.InputStream, long)].
    PUT_STREAM,
    /// [Space#getAndPut].
    GET_AND_PUT,
    /// [Space#putIfAbsent].
    PUT_IF_ABSENT,
    /// [Space#compareAndSet].
    COMPARE_AND_SET,
    /// [Space#merge].
    MERGE,
    /// [Space#delete(byte[])].
    DELETE,
    /// [io.varve.AsyncSpace#delete].
    DELETE_ASYNC,
    /// [Space#getAndDelete].
    GET_AND_DELETE,
    /// [Space#deleteRange].
    DELETE_RANGE,
    /// [Transaction#commit(Durability)].
    TRANSACTION,
    /// [Transaction#commitAsync].
    TRANSACTION_ASYNC
  }

  /// Copies the list.
  public RandomCommit {
    changes = List.copyOf(changes);
  }

  /// Makes the commit, and passes on what the store answers. An exception of the store leaves its
  /// outcome open.
  ///
  /// @throws AssertionError if the store answers wrongly
  public void runOn(Store store, CommitOutcome outcome) {
    Durability byDefault = store.options().durability();
    Change first = changes.getFirst();
    Space space = store.space(first.space());
    switch (kind) {
      case PUT ->
          outcome.acknowledged(space.with(durability).put(key(), value()).lsn(), durability);
      case PUT_ASYNC -> follow(space.async().put(key(), value()), outcome, byDefault);
      case PUT_STREAM -> {
        byte[] value = value();
        Commit commit = space.put(key(), new ByteArrayInputStream(value), value.length);
        outcome.acknowledged(commit.lsn(), byDefault);
      }
      case GET_AND_PUT -> {
        requireOld(space.getAndPut(key(), value()));
        outcome.acknowledged(byDefault);
      }
      case PUT_IF_ABSENT -> {
        requireOld(space.putIfAbsent(key(), value()));
        outcome.acknowledged(byDefault);
      }
      case COMPARE_AND_SET -> {
        if (!space.compareAndSet(key(), old, value())) {
          throw new AssertionError("value is not as this writer left it: " + this);
        }
        outcome.acknowledged(byDefault);
      }
      case MERGE -> {
        byte[] merged = space.merge(key(), value(), (_, update) -> update);
        if (!Arrays.equals(merged, value())) {
          throw new AssertionError("merge gave another value: " + this);
        }
        outcome.acknowledged(byDefault);
      }
      case DELETE -> outcome.acknowledged(space.with(durability).delete(key()).lsn(), durability);
      case DELETE_ASYNC -> follow(space.async().delete(key()), outcome, byDefault);
      case GET_AND_DELETE -> {
        requireOld(space.getAndDelete(key()));
        outcome.acknowledged(byDefault);
      }
      case DELETE_RANGE -> {
        if (space.deleteRange(((Change.DeleteRange) first).range()) == 0) {
          throw new AssertionError("range that has keys was found empty: " + this);
        }
        outcome.acknowledged(byDefault);
      }
      case TRANSACTION -> {
        try (Transaction transaction = prepare(store)) {
          outcome.acknowledged(transaction.commit(durability).lsn(), durability);
        }
      }
      case TRANSACTION_ASYNC -> {
        try (Transaction transaction = prepare(store)) {
          follow(transaction.commitAsync(durability), outcome, durability);
        }
      }
    }
  }

  private Transaction prepare(Store store) {
    Transaction transaction = store.begin();
    for (Change change : changes) {
      change.applyTo(transaction, store.space(change.space()));
    }
    return transaction;
  }

  private static void follow(
      CompletionStage<Commit> stage, CommitOutcome outcome, Durability durability) {
    outcome.applied();
    stage.thenAccept(commit -> outcome.acknowledged(commit.lsn(), durability));
  }

  private byte[] key() {
    return switch (changes.getFirst()) {
      case Change.Put(_, var key, _) -> key;
      case Change.Delete(_, var key) -> key;
      case Change.DeleteRange(_, var range) -> range.from();
      case Change.DropSpace _ -> throw new IllegalStateException("a dropped space has no key");
    };
  }

  private byte[] value() {
    if (changes.getFirst() instanceof Change.Put(_, _, var value)) {
      return value;
    }
    throw new IllegalStateException("no value is put: " + changes.getFirst());
  }

  private void requireOld(byte @Nullable [] found) {
    if (!Arrays.equals(old, found)) {
      throw new AssertionError("value is not as this writer left it: " + this);
    }
  }
}
