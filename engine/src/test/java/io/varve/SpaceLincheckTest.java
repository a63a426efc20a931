package io.varve;

import io.varve.spi.NonBlockingSpace;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The single operations of a space are linearizable. The store is in memory, and its pages are so
/// small that they split and merge under the operations.
@Tag("lincheck")
@Param(name = "key", gen = IntGen.class, conf = "0:5")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public class SpaceLincheckTest {
  /// Three entries fill a page; larger values would not fit in it.
  private static final int PAGE_BYTES = 1024;

  private static final int VALUE_BYTES = PAGE_BYTES / 4;

  private final Space space =
      Store.inMemory(StoreOptions.defaults().pageBytes(PAGE_BYTES)).space("s");

  private final NonBlockingSpace calls = NonBlockingSpace.of(space);

  private static byte[] key(int number) {
    return new byte[] {(byte) number};
  }

  private static byte[] value(int number) {
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, (byte) number);
    return value;
  }

  /// Fails on a torn value.
  private static Integer number(byte[] value) {
    if (value == null) {
      return null;
    }
    if (!Arrays.equals(value, value(value[0]))) {
      throw new AssertionError("torn value");
    }
    return (int) value[0];
  }

  @Operation
  public Integer get(@Param(name = "key") int key) {
    return number(space.get(key(key)));
  }

  @Operation
  public void put(@Param(name = "key") int key, @Param(name = "value") int value) {
    space.put(key(key), value(value));
  }

  /// Reads without waiting where that is possible.
  @Operation
  public Integer tryGet(@Param(name = "key") int key) {
    Integer[] found = new Integer[1];
    return calls.tryGet(key(key), value -> found[0] = number(value)) ? found[0] : get(key);
  }

  /// Puts without waiting where that is possible.
  @Operation
  public void tryPut(@Param(name = "key") int key, @Param(name = "value") int value) {
    if (calls.tryPut(key(key), value(value)) == null) {
      put(key, value);
    }
  }

  @Operation
  public Integer getAndPut(@Param(name = "key") int key, @Param(name = "value") int value) {
    return number(space.getAndPut(key(key), value(value)));
  }

  @Operation
  public Integer putIfAbsent(@Param(name = "key") int key, @Param(name = "value") int value) {
    return number(space.putIfAbsent(key(key), value(value)));
  }

  @Operation
  public boolean compareAndSet(
      @Param(name = "key") int key,
      @Param(name = "value") int expected,
      @Param(name = "value") int update) {
    return space.compareAndSet(key(key), value(expected), value(update));
  }

  /// Puts a key that must be absent.
  @Operation
  public boolean setAbsent(@Param(name = "key") int key, @Param(name = "value") int value) {
    return space.compareAndSet(key(key), null, value(value));
  }

  @Operation
  public boolean contains(@Param(name = "key") int key) {
    return space.contains(key(key));
  }

  @Operation
  public void delete(@Param(name = "key") int key) {
    space.delete(key(key));
  }

  @Operation
  public Integer getAndDelete(@Param(name = "key") int key) {
    return number(space.getAndDelete(key(key)));
  }

  /// Adds, up to a bound, so that the states are few.
  @Operation
  public Integer merge(@Param(name = "key") int key, @Param(name = "value") int value) {
    return number(
        space.merge(key(key), value(value), (old, added) -> value((old[0] + added[0]) % 5)));
  }

  /// What a space should be.
  public static class Model {
    private final Map<Integer, Integer> map = new HashMap<>();

    public Integer get(int key) {
      return map.get(key);
    }

    public void put(int key, int value) {
      map.put(key, value);
    }

    public Integer tryGet(int key) {
      return map.get(key);
    }

    public void tryPut(int key, int value) {
      map.put(key, value);
    }

    public Integer getAndPut(int key, int value) {
      return map.put(key, value);
    }

    public Integer putIfAbsent(int key, int value) {
      return map.putIfAbsent(key, value);
    }

    public boolean compareAndSet(int key, int expected, int update) {
      return map.replace(key, expected, update);
    }

    public boolean setAbsent(int key, int value) {
      return map.putIfAbsent(key, value) == null;
    }

    public boolean contains(int key) {
      return map.containsKey(key);
    }

    public void delete(int key) {
      map.remove(key);
    }

    public Integer getAndDelete(int key) {
      return map.remove(key);
    }

    public Integer merge(int key, int value) {
      return map.merge(key, value, (old, added) -> (old + added) % 5);
    }
  }

  @Test
  void operationsAreLinearizableUnderStress() {
    new StressOptions()
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(5)
        .iterations(LincheckEffort.iterations(10))
        .invocationsPerIteration(1000)
        .sequentialSpecification(Model.class)
        .check(SpaceLincheckTest.class);
  }

  @Test
  void operationsAreLinearizableInEveryOrderTried() {
    LincheckParts.leaveOut(new ModelCheckingOptions())
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(4)
        .iterations(LincheckEffort.iterations(3))
        .invocationsPerIteration(75)
        .sequentialSpecification(Model.class)
        .check(SpaceLincheckTest.class);
  }
}
