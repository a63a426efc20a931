package io.varve.cache.internal.jcache;

/// Whether a thread is within a change of some cache, or tells a listener of events. Then somebody
/// may wait for it, the listener among them, and it must not wait for a listener.
final class Nesting {
  private static final int WITHIN = 0;

  /// Whether, within, a listener was told for which the thread may have to wait after.
  private static final int TOLD = 1;

  /// Of a class of the JDK, so that a thread that outlives a program keeps no class of it; and kept
  /// from change to change, which is cheaper than to make it anew.
  private static final ThreadLocal<boolean[]> STATE = ThreadLocal.withInitial(() -> new boolean[2]);

  private Nesting() {}

  /// Enters; whoever did gets true, and is to [#leave].
  ///
  /// @return whether the thread was not within
  static boolean enter() {
    boolean[] state = STATE.get();
    boolean enters = !state[WITHIN];
    state[WITHIN] = true;
    return enters;
  }

  /// Notes that the thread has told a listener that may not keep up, if it is within.
  static void told() {
    boolean[] state = STATE.get();
    state[TOLD] = state[WITHIN];
  }

  /// Leaves.
  ///
  /// @return whether [#told] was called since the thread entered
  static boolean leave() {
    boolean[] state = STATE.get();
    boolean told = state[TOLD];
    state[WITHIN] = false;
    state[TOLD] = false;
    return told;
  }
}
