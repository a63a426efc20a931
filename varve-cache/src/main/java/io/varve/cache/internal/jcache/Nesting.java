package io.varve.cache.internal.jcache;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Whether a thread is within a change of some cache, notifies a listener of events, or gives a
/// writer the changes that wait. Then another thread may wait for it, the listener or the writer
/// among them, and it must wait for neither.
final class Nesting {
  /// Not null while the thread is within.
  private static final int WITHIN = 0;

  /// What the thread may have to wait for after, of any cache; null if there is nothing.
  private static final int REPORTED = 1;

  /// Of a class of the JDK, and empty after a change, so that a thread that outlives a program
  /// keeps no class of it; and kept from change to change, which is cheaper than to make it again.
  private static final ThreadLocal<@Nullable Object[]> STATE =
      ThreadLocal.withInitial(() -> new @Nullable Object[2]);

  private Nesting() {}

  /// Enters; a caller that did gets true, and must [#leave].
  ///
  /// @return whether the thread was not within
  static boolean enter() {
    @Nullable Object[] state = STATE.get();
    boolean enters = state[WITHIN] == null;
    state[WITHIN] = true;
    return enters;
  }

  /// Notes that the thread has given a change to what may not keep up, if it is within.
  @SuppressWarnings("unchecked") // no other code puts anything there
  static void reported(Backpressure taker) {
    @Nullable Object[] state = STATE.get();
    if (state[WITHIN] == null) {
      return;
    }
    Set<Backpressure> reported = (Set<Backpressure>) state[REPORTED];
    if (reported == null) {
      reported = new LinkedHashSet<>();
      state[REPORTED] = reported;
    }
    reported.add(taker);
  }

  /// Leaves.
  ///
  /// @return what [#reported] noted since the thread entered
  @SuppressWarnings("unchecked") // no other code puts anything there
  static Set<Backpressure> leave() {
    @Nullable Object[] state = STATE.get();
    Set<Backpressure> reported = (Set<Backpressure>) state[REPORTED];
    state[WITHIN] = null;
    state[REPORTED] = null;
    return reported == null ? Set.of() : reported;
  }
}
