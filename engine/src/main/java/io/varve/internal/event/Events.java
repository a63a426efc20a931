package io.varve.internal.event;

import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// Begins events, if a program has asked for a flight recorder so far.
///
/// (EVENTS-1) Until then no class of an event is initialized. The first of them would have the JDK
/// read what it knows of all events. That took a quarter of the time to the first put of a JVM.
///
/// (EVENTS-2) Then all of them are initialized together. A virtual thread that waits for the
/// initialization of a class pins its carrier: that happens once at most, not for each class.
///
/// Thread-safe.
public final class Events {
  private Events() {}

  /// Whether events are perhaps recorded. One volatile read.
  private static boolean mayRecord() {
    return FlightRecorder.isInitialized() && Classes.ARE_INITIALIZED;
  }

  /// Begins the event of a commit; null if nobody records it.
  public static @Nullable CommitEvent commit() {
    return mayRecord() ? CommitEvent.start() : null;
  }

  /// Begins the event of a wait for a promise; null if nobody records it.
  public static @Nullable CommitWaitEvent commitWait() {
    return mayRecord() ? CommitWaitEvent.start() : null;
  }

  /// Begins the event of a wait for capacity in the log; null if nobody records it.
  public static @Nullable LogWaitEvent logWait() {
    return mayRecord() ? LogWaitEvent.start() : null;
  }

  /// Begins the event of a force; null if nobody records it.
  public static @Nullable ForceEvent force() {
    return mayRecord() ? ForceEvent.start() : null;
  }

  /// Begins the event of a page that is read; null if nobody records it.
  public static @Nullable PageLoadEvent pageLoad() {
    return mayRecord() ? PageLoadEvent.start() : null;
  }

  /// Begins the event of a checkpoint; null if nobody records it.
  public static @Nullable CheckpointEvent checkpoint() {
    return mayRecord() ? CheckpointEvent.start() : null;
  }

  /// Whether anybody records evictions.
  public static boolean evictionIsOn() {
    return mayRecord() && EvictionEvent.isOn();
  }

  /// The classes of all events.
  private static final class Classes {
    /// False if one of them could not be initialized, as where a stack or memory ends: then nothing
    /// is recorded. A commit must not fail for that.
    static final boolean ARE_INITIALIZED = initialize();

    private static boolean initialize() {
      try {
        CommitEvent.start();
        CommitWaitEvent.start();
        LogWaitEvent.start();
        ForceEvent.start();
        PageLoadEvent.start();
        CheckpointEvent.start();
        EvictionEvent.isOn();
        return true;
      } catch (LinkageError | VirtualMachineError e) {
        return false;
      }
    }
  }
}
