package io.varve;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The operations of an ordered map on one key are linearizable, as those of the JDK's map are. So
/// are those on many keys that are one commit. Under stress alone: Lincheck 3.7 fails whenever it
/// model-checks the codecs.
@Tag("lincheck")
class OrderedMapLincheckTest {
  /// What the map should be.
  public static class Model extends Subject {
    /// Makes an empty map of the JDK's, which one thread at a time uses.
    public Model() {
      super(new ConcurrentSkipListMap<>());
    }
  }

  /// The operations.
  @Param(name = "key", gen = IntGen.class, conf = "0:3")
  @Param(name = "value", gen = IntGen.class, conf = "1:3")
  public static class Subject {
    private final Map<Integer, Integer> map;

    /// Makes an empty map over a store in memory.
    public Subject() {
      this(Store.inMemory().map("m", Codec.int32(), Codec.int32()));
    }

    private Subject(Map<Integer, Integer> map) {
      this.map = map;
    }

    @Operation
    public Integer get(@Param(name = "key") int key) {
      return map.get(key);
    }

    @Operation
    public Integer put(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.put(key, value);
    }

    @Operation
    public Integer putIfAbsent(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.putIfAbsent(key, value);
    }

    @Operation
    public Integer remove(@Param(name = "key") int key) {
      return map.remove(key);
    }

    @Operation
    public boolean removeValue(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.remove(key, value);
    }

    @Operation
    public boolean replace(
        @Param(name = "key") int key,
        @Param(name = "value") int expected,
        @Param(name = "value") int update) {
      return map.replace(key, expected, update);
    }

    @Operation
    public Integer replaceAny(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.replace(key, value);
    }

    @Operation
    public boolean containsKey(@Param(name = "key") int key) {
      return map.containsKey(key);
    }

    /// Counts from one up to three and away.
    @Operation
    public Integer compute(@Param(name = "key") int key) {
      return map.compute(key, (_, value) -> value == null ? Integer.valueOf(1) : next(value));
    }

    private static Integer next(int value) {
      return value == 3 ? null : value + 1;
    }

    @Operation
    public Integer computeIfAbsent(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.computeIfAbsent(key, _ -> value);
    }

    /// One commit, so no reader sees half of it.
    @Operation
    public void putAll(@Param(name = "key") int key, @Param(name = "value") int value) {
      map.putAll(Map.of(key, value, key + 1, value));
    }

    @Operation
    public void clear() {
      map.clear();
    }

    @Operation
    public Integer computeIfPresent(@Param(name = "key") int key) {
      return map.computeIfPresent(key, (_, value) -> next(value));
    }

    @Operation
    public Integer merge(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.merge(key, value, (old, added) -> (old + added) % 5);
    }
  }

  @Test
  void operationsAreLinearizableUnderStress() {
    new StressOptions()
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(2)
        .iterations(LincheckEffort.iterations(10))
        .invocationsPerIteration(1000)
        .sequentialSpecification(Model.class)
        .check(Subject.class);
  }
}
