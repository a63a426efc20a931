package io.varve;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Transactions over two keys in two spaces are atomic and serializable, concurrently with single
/// operations.
@Tag("lincheck")
@Param(name = "amount", gen = IntGen.class, conf = "1:3")
public class TransactionLincheckTest {
  private static final byte[] KEY = {1};

  private final Store store = Store.inMemory();
  private final Space left = store.space("left");
  private final Space right = store.space("right");

  private static int number(byte[] value) {
    return value == null ? 0 : value[0];
  }

  private static byte[] bytes(int number) {
    return new byte[] {(byte) number};
  }

  /// Moves an amount if it is there, and returns whether it was.
  @Operation
  public boolean move(@Param(name = "amount") int amount) {
    return store.transactAndGet(transaction -> {
      int present = number(transaction.get(left, KEY));
      if (present < amount) {
        return false;
      }
      transaction.put(left, KEY, bytes(present - amount));
      transaction.put(right, KEY, bytes(number(transaction.get(right, KEY)) + amount));
      return true;
    });
  }

  /// A blind write of both keys.
  @Operation
  public void setBoth(@Param(name = "amount") int amount) {
    store.transact(transaction -> {
      transaction.put(left, KEY, bytes(amount));
      transaction.put(right, KEY, bytes(amount));
    });
  }

  /// What a snapshot shows of both keys.
  @Operation
  public String both() {
    try (Snapshot snapshot = store.snapshot()) {
      return number(snapshot.get(left, KEY)) + "," + number(snapshot.get(right, KEY));
    }
  }

  /// Reads one key and writes the other, so that two of a kind would skew.
  @Operation
  public int copyRight() {
    return store.transactAndGet(transaction -> {
      int value = number(transaction.get(right, KEY));
      transaction.put(left, KEY, bytes(value));
      return value;
    });
  }

  @Operation
  public void putLeft(@Param(name = "amount") int amount) {
    left.put(KEY, bytes(amount));
  }

  @Operation
  public int getLeft() {
    return number(left.get(KEY));
  }

  @Operation
  public int getRight() {
    return number(right.get(KEY));
  }

  /// What two spaces of one key should be.
  public static class Model {
    private int left;
    private int right;

    public boolean move(int amount) {
      if (left < amount) {
        return false;
      }
      left -= amount;
      right += amount;
      return true;
    }

    public void setBoth(int amount) {
      left = amount;
      right = amount;
    }

    public String both() {
      return left + "," + right;
    }

    public int copyRight() {
      left = right;
      return right;
    }

    public void putLeft(int amount) {
      left = amount;
    }

    public int getLeft() {
      return left;
    }

    public int getRight() {
      return right;
    }
  }

  @Test
  void transactionsAreAtomicUnderStress() {
    new StressOptions()
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(1)
        .iterations(LincheckEffort.iterations(10))
        .invocationsPerIteration(1000)
        .sequentialSpecification(Model.class)
        .check(TransactionLincheckTest.class);
  }

  @Test
  void transactionsAreAtomicInEveryOrderTried() {
    LincheckParts.leaveOut(new ModelCheckingOptions())
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(1)
        .iterations(LincheckEffort.iterations(2))
        .invocationsPerIteration(50)
        .sequentialSpecification(Model.class)
        .check(TransactionLincheckTest.class);
  }
}
