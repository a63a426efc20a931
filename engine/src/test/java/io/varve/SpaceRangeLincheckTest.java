package io.varve;

import java.util.TreeMap;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Operations on ranges are linearizable where they promise one point of the commit order. A
/// transaction that found a range empty commits only if it still is.
@Tag("lincheck")
@Param(name = "key", gen = IntGen.class, conf = "0:5")
public class SpaceRangeLincheckTest {
  /// Keys of a range; a range begins at any key.
  private static final int RANGE = 3;

  private final Space space = Store.inMemory().space("s");

  private static byte[] key(int number) {
    return new byte[] {(byte) number};
  }

  private static Range range(int from) {
    return Range.of(key(from), key(from + RANGE));
  }

  @Operation
  public void put(@Param(name = "key") int key) {
    space.put(key(key), key(key));
  }

  @Operation
  public void delete(@Param(name = "key") int key) {
    space.delete(key(key));
  }

  @Operation
  public boolean contains(@Param(name = "key") int key) {
    return space.contains(key(key));
  }

  @Operation
  public long count(@Param(name = "key") int from) {
    return space.count(range(from));
  }

  @Operation
  public long deleteRange(@Param(name = "key") int from) {
    return space.deleteRange(range(from));
  }

  /// Puts a key in the middle of a range that is empty, so that two of a kind would see phantoms.
  @Operation
  public boolean putIfEmpty(@Param(name = "key") int from) {
    return space
        .store()
        .transactAndGet(transaction -> {
          boolean empty = !transaction.scan(space, range(from)).iterator().hasNext();
          if (empty) {
            transaction.put(space, key(from + 1), key(from));
          }
          return empty;
        });
  }

  /// What a space should be.
  public static class Model {
    private final TreeMap<Integer, Integer> map = new TreeMap<>();

    public void put(int key) {
      map.put(key, key);
    }

    public void delete(int key) {
      map.remove(key);
    }

    public boolean contains(int key) {
      return map.containsKey(key);
    }

    public long count(int from) {
      return map.subMap(from, from + RANGE).size();
    }

    public long deleteRange(int from) {
      long count = count(from);
      map.subMap(from, from + RANGE).clear();
      return count;
    }

    public boolean putIfEmpty(int from) {
      boolean empty = count(from) == 0;
      if (empty) {
        map.put(from + 1, from);
      }
      return empty;
    }
  }

  @Test
  void operationsAreLinearizableUnderStress() {
    new StressOptions()
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(3)
        .iterations(LincheckEffort.iterations(10))
        .invocationsPerIteration(1000)
        .sequentialSpecification(Model.class)
        .check(SpaceRangeLincheckTest.class);
  }
}
