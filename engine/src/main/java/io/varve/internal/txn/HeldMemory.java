package io.varve.internal.txn;

import io.varve.Range;
import io.varve.TransactionTooLargeException;
import io.varve.internal.txn.TransactionMemory.Grant;
import org.jspecify.annotations.Nullable;

/// What one transaction needs of the heap until it ends, of the account of its store.
///
/// A transaction that was refused memory is not committed: its user may have caught the exception
/// of a change, and would commit all others without it.
///
/// Each method that counts throws [TransactionTooLargeException] if that is too much, or was
/// before. For one thread at a time.
final class HeldMemory {
  /// What the objects of a put take, in addition to the bytes of key and value. Those are there a
  /// second time when the commit has changed the pages.
  private static final int PUT_BYTES = 64;

  /// What the objects of a delete take in addition to the bytes of its key.
  private static final int DELETE_BYTES = 48;

  /// What a write takes in the index that a transaction has of its own writes.
  private static final int INDEXED_BYTES = 112;

  /// What a range takes that was read.
  private static final int READ_BYTES = 96;

  /// What a prefix of a unique index takes.
  private static final int CLAIM_BYTES = 256;

  private final TransactionMemory account;
  private long neededBytes;
  private long countedBytes = TransactionMemory.SMALL_BYTES;
  private @Nullable Grant grant;
  private @Nullable TransactionTooLargeException refusal;

  /// What all could have together when others had what this was refused; 0 if none had.
  private long refusedMaxOfAll;

  private boolean ended;

  HeldMemory(TransactionMemory account) {
    this.account = account;
    account.begun();
  }

  /// Counts a put.
  void put(int keyBytes, int valueBytes) {
    add(PUT_BYTES + 2L * (keyBytes + valueBytes));
  }

  /// Counts a delete.
  void delete(int keyBytes) {
    add(DELETE_BYTES + keyBytes);
  }

  /// Counts a write in the index that a transaction has of its own.
  void indexed() {
    add(INDEXED_BYTES);
  }

  /// Counts a range that was read.
  void read(Range range) {
    byte[] to = range.to();
    add(READ_BYTES + range.from().length + (to == null ? 0 : to.length));
  }

  /// Counts a prefix of a unique index, with the keys that have it.
  void claim(int prefixBytes) {
    add(CLAIM_BYTES + 2L * prefixBytes);
  }

  private void add(long bytes) {
    neededBytes += bytes;
    if (neededBytes > countedBytes) {
      count(account.ofOneBytesMax(), account.bytesMax());
    }
  }

  /// Counts what a commit is about to load.
  void load(long bytes) {
    neededBytes += bytes;
    if (neededBytes > countedBytes) {
      long max = account.withCommitBytesMax();
      count(max, max);
    }
  }

  /// @param max of this transaction
  /// @param maxOfAll of all transactions together
  private void count(long max, long maxOfAll) {
    requireGranted();
    if (countedBytes == TransactionMemory.SMALL_BYTES) {
      countedBytes = account.uncountedBytes();
    }
    long more = neededBytes - countedBytes;
    if (more <= 0) {
      return;
    }
    long granted = 0;
    if (neededBytes <= max) {
      Grant mine = grant;
      if (mine == null) {
        mine = account.grant(this);
        grant = mine;
      }
      granted = account.tryGrant(mine, more, maxOfAll);
    }
    if (granted == 0) {
      refusedMaxOfAll = neededBytes <= max ? maxOfAll : 0;
      refusal = tooLarge(max, maxOfAll);
      throw refusal;
    }
    countedBytes += granted;
  }

  private TransactionTooLargeException tooLarge(long max, long maxOfAll) {
    return new TransactionTooLargeException(
        "the transaction needs more of the heap than transactions may: bytes="
            + neededBytes
            + ", bytesMax="
            + max
            + ", bytesOfAll="
            + account.grantedBytes()
            + ", bytesOfAllMax="
            + maxOfAll
            + "; nothing was written; make several transactions of it (delete a range in parts), have"
            + " fewer open, or start Java with more heap (-Xmx)");
  }

  /// @throws TransactionTooLargeException if the transaction was refused memory
  void requireGranted() {
    TransactionTooLargeException refused = refusal;
    if (refused != null) {
      throw refused;
    }
  }

  /// Whether an exception is this transaction's, and others have what it needs.
  @SuppressWarnings("ReferenceEquality") // one of another transaction has the same class
  boolean isInUseByOthers(TransactionTooLargeException e) {
    return e == refusal && refusedMaxOfAll > 0;
  }

  /// Waits, after its end, until others have less than would refuse it again.
  ///
  /// @param sinceNanos when that was needed first
  /// @return false if it waited too long
  boolean awaitOthers(long sinceNanos, Lifecycle lifecycle) {
    return account.await(neededBytes, refusedMaxOfAll, sinceNanos, lifecycle);
  }

  /// Releases what it was granted (HELD-1). Idempotent.
  void end() {
    if (ended) {
      return;
    }
    ended = true;
    account.ended();
    Grant mine = grant;
    if (mine != null) {
      account.release(mine);
    }
  }
}
