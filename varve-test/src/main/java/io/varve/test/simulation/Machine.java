package io.varve.test.simulation;

import io.varve.Store;
import io.varve.VarveException;
import io.varve.test.Crash;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedThreads;
import java.io.FileNotFoundException;
import java.util.List;
import java.util.SplittableRandom;

/// The machine that a store runs on: its disk, from crash to crash, and what happened to the store
/// since it was last found whole.
final class Machine {
  private final SimulationOptions options;
  private final SimulatedThreads threads;
  private final SplittableRandom random;
  private final Faults faults;
  private final Trace trace;
  private final Planted planted;
  private final BackupDisk backups;
  private SimulatedDisk disk;
  private Crash crash = Crash.CLEAN_CLOSE;
  private int crashes;
  private long callsBefore;

  Machine(
      SimulationOptions options,
      SimulatedThreads threads,
      SplittableRandom random,
      Faults faults,
      Trace trace,
      Planted planted) {
    this.options = options;
    this.threads = threads;
    this.random = random;
    this.faults = faults;
    this.trace = trace;
    this.planted = planted;
    this.disk = new SimulatedDisk(random.nextLong());
    this.backups = new BackupDisk(threads, random.split(), trace, planted);
    disk.faults(planted.disk(faults));
  }

  /// What the history was asked for.
  SimulationOptions options() {
    return options;
  }

  SimulatedThreads threads() {
    return threads;
  }

  SplittableRandom random() {
    return random;
  }

  Faults faults() {
    return faults;
  }

  Trace trace() {
    return trace;
  }

  Planted planted() {
    return planted;
  }

  /// Where backups of the store go.
  BackupDisk backups() {
    return backups;
  }

  SimulatedDisk disk() {
    return disk;
  }

  /// The worst that happened since the store was last found whole.
  Crash crash() {
    return crash;
  }

  int crashes() {
    return crashes;
  }

  /// Calls that changed the disk.
  long diskCalls() {
    return callsBefore + disk.mutatingCalls();
  }

  /// Cuts the power at one of the next calls.
  ///
  /// @param callsMax how many calls may come before
  void cutPowerWithin(int callsMax) {
    disk.cutPowerAtCall(disk.mutatingCalls() + 1 + random.nextInt(callsMax));
  }

  /// Leaves the disk little more capacity than what is on it.
  void fill() {
    long freeBytes = random.nextInt(1 << (8 + random.nextInt(12)));
    trace.note("fill", freeBytes);
    disk.capacityBytes(disk.usedBytes() + freeBytes);
    faults.filled();
  }

  /// Takes back [#fill] and a cut that was not met.
  void restore() {
    disk.capacityBytes(Long.MAX_VALUE);
    disk.cutPowerAtCall(Long.MAX_VALUE);
  }

  /// Inverts a bit of some file.
  void flipBit() {
    List<String> names = List.copyOf(disk.fileNames());
    String name = names.get(random.nextInt(names.size()));
    try {
      int length = disk.content(name).length;
      if (length > 0) {
        int position = random.nextInt(length);
        disk.flipBit(name, position, random.nextInt(8));
        trace.note("bit flipped", name, position);
        faults.damaged();
      }
    } catch (FileNotFoundException e) {
      throw new IllegalStateException("file of the list is not there: file=" + name, e);
    }
  }

  /// Notes that the store was closed, or broke, and its process may have continued.
  void noteEnd(Crash how) {
    if (how.compareTo(crash) > 0) {
      crash = how;
    }
  }

  /// Notes that the store was found whole.
  void noteWhole() {
    crash = Crash.CLEAN_CLOSE;
  }

  /// Continues with what a crash leaves of the disk.
  void restart(Crash how) {
    trace.note("crash", how);
    noteEnd(how);
    crashes++;
    callsBefore += disk.mutatingCalls();
    // After a loss of power, nothing that was spared is unforced.
    backups.restart();
    disk = how == Crash.POWER ? disk.powerCut() : disk.processCrash();
    disk.faults(planted.disk(faults));
  }

  /// One of the two crashes.
  Crash anyCrash() {
    return random.nextBoolean() ? Crash.POWER : Crash.PROCESS;
  }

  /// Waits for a thread of the simulation.
  static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Closes a store that failed, or whose disk did: it must release everything all the same.
  void close(Store store) {
    try {
      store.close();
    } catch (VarveException e) {
      if (!faults.explain(e, disk)) {
        throw new AssertionError("close failed: fault=" + faults.kind(), e);
      }
    }
  }
}
