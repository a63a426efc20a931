package io.varve.test.simulation;

import io.varve.test.WovenClassLoader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A history whose threads also stop at the engine's accesses to what they share. It runs in a
/// [WovenClassLoader], which has this class once more: what passes between the two are types of the
/// JDK alone.
final class WovenHistory {
  /// The world of the histories without a planted defect. Made when it is first needed.
  private static final class Default {
    static final WovenHistory HISTORY = new WovenHistory(new WovenClassLoader());
  }

  private final Method inside;

  WovenHistory(WovenClassLoader loader) {
    try {
      inside =
          loader
              .loadClass(WovenHistory.class.getName())
              .getDeclaredMethod(
                  "runInside", long.class, String.class, int.class, int.class, Consumer.class);
      inside.setAccessible(true);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the engine cannot be woven", e);
    }
  }

  static WovenHistory withoutDefect() {
    return Default.HISTORY;
  }

  SimulationResult run(long seed, SimulationOptions options, @Nullable Consumer<String> lines) {
    String faults = options.faults().stream().map(FaultKind::name).collect(Collectors.joining(","));
    try {
      long[] result =
          (long[])
              inside.invoke(null, seed, faults, options.stepsMax(), options.threadsMax(), lines);
      return SimulationResult.of(result);
    } catch (InvocationTargetException e) {
      Throwable failure = e.getCause() == null ? e : e.getCause();
      throw new SimulationFailedError(
          seed, options, failure.getCause() == null ? failure : failure.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("woven classes cannot be called", e);
    }
  }

  /// What [#run] calls, in the other world.
  @SuppressWarnings("UnusedMethod") // by reflection
  private static long[] runInside(
      long seed, String faults, int stepsMax, int threadsMax, @Nullable Consumer<String> lines) {
    Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
    Arrays.stream(faults.split(",", -1)).map(FaultKind::valueOf).forEach(kinds::add);
    var options = new SimulationOptions(kinds, stepsMax, threadsMax);
    return History.run(seed, options, lines, Planted.NOTHING).toLongs();
  }
}
