package io.varve.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Every engine, in every promise it makes, does what a [TreeMap] does.
@Tag("slow")
class EngineContractTest {
  private static final int KEYS = 500;
  private static final int VALUE_BYTES = 100;
  private static final int STEPS = 600;

  @TempDir private @Nullable Path directory;

  static Stream<Arguments> enginesAndPromises() {
    return Engines.all().stream()
        .flatMap(type -> promises(type).map(promise -> Arguments.of(type.label(), promise)));
  }

  private static Stream<Promise> promises(EngineType type) {
    List<Promise> promises = new ArrayList<>();
    if (type.features().contains(Feature.COMMIT_TO_DISK)) {
      promises.add(Promise.DISK);
    }
    if (type.features().contains(Feature.COMMIT_IN_BACKGROUND)) {
      promises.add(Promise.FAST);
    }
    if (type.features().contains(Feature.COMMIT_TO_OS) || promises.isEmpty()) {
      promises.add(Promise.OS);
    }
    return promises.stream();
  }

  @ParameterizedTest
  @MethodSource("enginesAndPromises")
  void agreesWithTreeMap(String label, Promise promise) {
    EngineType type = Engines.find(label).orElseThrow();
    NavigableMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
    try (Engine engine = open(type, promise)) {
      try (EngineSession session = engine.session()) {
        change(session, model, type.label().hashCode());
        check(session, model, type);
      }
      engine.settle();
      try (EngineSession session = engine.session()) {
        check(session, model, type);
      }
    }
    if (type.features().contains(Feature.PERSISTENT)) {
      try (Engine engine = open(type, promise);
          EngineSession session = engine.session()) {
        check(session, model, type);
      }
    }
  }

  private Engine open(EngineType type, Promise promise) {
    return type.open(new EngineSettings(directory, promise, 16 << 20, KEYS, VALUE_BYTES));
  }

  /// Random changes, through arrays that are used again after each call.
  private static void change(EngineSession session, NavigableMap<byte[], byte[]> model, long seed) {
    var random = new SplittableRandom(seed);
    byte[] key = new byte[EngineSettings.KEY_BYTES];
    byte[] value = new byte[VALUE_BYTES];
    Batch batch = new Batch();
    for (int step = 0; step < STEPS; step++) {
      key(random, key);
      random.nextBytes(value);
      switch (random.nextInt(8)) {
        case 0 -> {
          session.delete(key);
          model.remove(key);
        }
        case 1 -> {
          batch.clear();
          fill(batch, model, random);
          session.commit(batch);
        }
        default -> {
          session.put(key, value);
          model.put(key.clone(), value.clone());
        }
      }
    }
  }

  private static void fill(
      Batch batch, NavigableMap<byte[], byte[]> model, SplittableRandom random) {
    for (int i = random.nextInt(1, 20); i > 0; i--) {
      byte[] key = new byte[EngineSettings.KEY_BYTES];
      key(random, key);
      if (random.nextInt(4) == 0) {
        batch.delete(key);
        model.remove(key);
      } else {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        batch.put(key, value);
        model.put(key, value);
      }
    }
  }

  /// A key with high and low bytes at its ends, since the order is unsigned.
  private static void key(SplittableRandom random, byte[] target) {
    int number = random.nextInt(KEYS);
    Arrays.fill(target, (byte) 0);
    target[0] = (byte) number;
    target[1] = (byte) (number >> 8);
    target[target.length - 1] = (byte) (number * 31);
  }

  private static void check(
      EngineSession session, NavigableMap<byte[], byte[]> model, EngineType type) {
    checkGets(session, model);
    checkGetsTogether(session, model);
    if (type.features().contains(Feature.ORDERED)) {
      checkOrder(session, model);
    }
  }

  private static void checkGets(EngineSession session, NavigableMap<byte[], byte[]> model) {
    var random = new SplittableRandom(1);
    byte[] key = new byte[EngineSettings.KEY_BYTES];
    for (int i = 0; i < KEYS; i++) {
      key(random, key);
      byte @Nullable [] expected = model.get(key);
      List<byte[]> found = new ArrayList<>();
      boolean present =
          session.get(key, (value, length) -> found.add(Arrays.copyOf(value, length)));
      assertThat(present).isEqualTo(expected != null);
      if (expected != null) {
        assertThat(found).hasSize(1);
        assertThat(found.getFirst()).isEqualTo(expected);
      }
    }
  }

  private static void checkGetsTogether(EngineSession session, NavigableMap<byte[], byte[]> model) {
    var random = new SplittableRandom(2);
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      byte[] key = new byte[EngineSettings.KEY_BYTES];
      key(random, key);
      keys.add(key);
    }
    byte @Nullable [][] found = new byte[keys.size()][];
    session.getAll(keys, (index, value, length) -> found[index] = Arrays.copyOf(value, length));
    for (int i = 0; i < found.length; i++) {
      assertThat(found[i]).isEqualTo(model.get(keys.get(i)));
    }
  }

  private static void checkOrder(EngineSession session, NavigableMap<byte[], byte[]> model) {
    var all = new Gathered(Integer.MAX_VALUE);
    session.forward(all);
    all.assertEquals(model, Integer.MAX_VALUE);

    var reversed = new Gathered(Integer.MAX_VALUE);
    session.backward(reversed);
    reversed.assertEquals(model.descendingMap(), Integer.MAX_VALUE);

    var random = new SplittableRandom(2);
    byte[] from = new byte[EngineSettings.KEY_BYTES];
    for (int i = 0; i < 50; i++) {
      random.nextBytes(from);
      var scanned = new Gathered(7);
      session.scan(from, scanned);
      scanned.assertEquals(model.tailMap(from, true), 7);
    }
  }

  /// The entries of a scan, up to a limit.
  private static final class Gathered implements EngineSession.EntrySink {
    private final List<byte[]> keys = new ArrayList<>();
    private final List<byte[]> values = new ArrayList<>();
    private final int limit;

    Gathered(int limit) {
      this.limit = limit;
    }

    @Override
    public boolean entry(byte[] key, byte[] value, int valueLength) {
      keys.add(Arrays.copyOf(key, EngineSettings.KEY_BYTES));
      values.add(Arrays.copyOf(value, valueLength));
      return keys.size() < limit;
    }

    void assertEquals(Map<byte[], byte[]> expected, int count) {
      assertThat(keys).hasSize(Math.min(count, expected.size()));
      int i = 0;
      for (Map.Entry<byte[], byte[]> entry : expected.entrySet()) {
        if (i == keys.size()) {
          return;
        }
        assertThat(keys.get(i)).isEqualTo(entry.getKey());
        assertThat(values.get(i)).isEqualTo(entry.getValue());
        i++;
      }
    }
  }
}
