package io.varve.test;

import io.varve.internal.disk.Disk;
import java.io.FileNotFoundException;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Predicate;

/// A disk in memory that can lose power, fail, fill up and pretend. A store opened on it by
/// [SimulatedStore] behaves as on a real disk, and then the test decides what survives:
///
/// - After [#powerCut()], all bytes that were forced, and of the others an arbitrary choice of
///   sectors of 512 bytes. Each sector is as written last, or at some time since the last force.
///   New names, renamings, deletions and lengths that were not synced may be there or not. What was
///   stored into mapped memory counts as written and never forced.
/// - After [#processCrash()], all that was written or stored into mapped memory, still unforced: a
///   loss of power that follows may yet take it.
/// - At any call, what its [FaultPlan] decides.
///
/// Both crashes give a new disk to open a store from, and end the old one: each of its calls fails
/// from then on with a [PowerOffException]. To crash a store under load, arm the cut with
/// [#cutPowerAtCall] or call [#turnOff]. Let the threads that use the store meet it, then take the
/// image of the new disk.
///
/// Every choice follows from the seed, so a history on one thread repeats exactly; where the
/// threads of the store interleave, the choices repeat and their interleaving may not.
///
/// - **Threads:** safe for any number of threads.
/// - **Limits:** files below 2 GiB, one mapped range per file.
public final class SimulatedDisk {
  private final FaultyDisk disk;

  /// Makes an empty disk whose choices follow from `seed`.
  public SimulatedDisk(long seed) {
    this(new FaultyDisk(new NameTable(), new SplittableRandom(seed)));
  }

  private SimulatedDisk(FaultyDisk disk) {
    this.disk = disk;
  }

  /// What a store uses.
  Disk asDisk() {
    return disk;
  }

  /// Sets what goes wrong from now on.
  public void faults(FaultPlan plan) {
    disk.faults(plan);
  }

  /// Sets how many bytes all files may have together. Files that are over it already stay.
  public void capacityBytes(long bytes) {
    disk.capacityBytes(bytes);
  }

  /// Cuts the power during the mutating call of this number, counted from 1 over the whole life of
  /// the disk.
  public void cutPowerAtCall(long number) {
    disk.cutAtCall(number);
  }

  /// Makes every call fail from now on.
  public void turnOff() {
    disk.turnOff();
  }

  /// Whether calls fail because the power was cut or the process ended.
  public boolean isOff() {
    return disk.isOff();
  }

  /// How many calls changed something so far, or tried to.
  public long mutatingCalls() {
    return disk.mutatingCalls();
  }

  /// Turns this disk off and gives the disk that a restarted machine finds.
  public SimulatedDisk powerCut() {
    disk.turnOff();
    return new SimulatedDisk(disk.successor(/* powerCut= */ true));
  }

  /// Turns this disk off and gives the disk that a restarted process finds. What is in mapped
  /// memory is taken now: no thread should be storing into it.
  public SimulatedDisk processCrash() {
    disk.turnOff();
    return copy();
  }

  /// The same files on a disk of their own, which fails by no plan; this one continues.
  public SimulatedDisk copy() {
    return new SimulatedDisk(disk.successor(/* powerCut= */ false));
  }

  /// Bytes of all files.
  public long usedBytes() {
    return disk.inspect(NameTable::usedBytes);
  }

  /// Bytes of the files whose names `chosen` takes.
  public long usedBytes(Predicate<String> chosen) {
    return disk.inspect(names -> names.usedBytes(chosen));
  }

  /// The names of all files.
  public SortedSet<String> fileNames() {
    return disk.inspect(names -> new TreeSet<>(names.files().keySet()));
  }

  /// A copy of the bytes of a file.
  ///
  /// @throws FileNotFoundException if there is no such file
  public byte[] content(String name) throws FileNotFoundException {
    return disk.inspect(names -> names.file(name).content());
  }

  /// Inverts one bit of a file, on storage.
  ///
  /// @param position the byte
  /// @param bit the bit in it, 0 to 7
  /// @throws FileNotFoundException if there is no such file
  public void flipBit(String name, long position, int bit) throws FileNotFoundException {
    disk.inspect(names -> names.file(name).flipBit(Math.toIntExact(position), bit));
  }
}
