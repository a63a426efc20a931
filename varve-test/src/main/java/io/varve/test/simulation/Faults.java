package io.varve.test.simulation;

import io.varve.CorruptStoreException;
import io.varve.StoreFailedException;
import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.VarveException;
import io.varve.test.DiskCall;
import io.varve.test.DiskOperation;
import io.varve.test.Fault;
import io.varve.test.FaultPlan;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedThreads;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;

/// Makes the calls of a disk take time and go wrong, and knows what a store may report of it.
final class Faults implements FaultPlan {
  private static final int READ_NANOS_MAX = 100_000;
  private static final int WRITE_NANOS_MAX = 200_000;
  private static final int FORCE_NANOS_MAX = 500_000;
  private static final int DELAY_NANOS_MAX = 2_000_000_000;

  private final SimulatedThreads threads;
  private final SplittableRandom random;
  private final Trace trace;
  private FaultKind kind = FaultKind.NONE;
  private DiskOperation operation = DiskOperation.WRITE;
  private Fault fault = Fault.NONE;
  private long callsBefore;
  private boolean lasting;

  /// Whether a call that reports its failure has failed since the store was opened.
  private boolean failed;

  /// Whether the disk was full at some time since the store was opened.
  private boolean full;

  /// Whether the disk ever lied.
  private boolean lied;

  Faults(SimulatedThreads threads, SplittableRandom random, Trace trace) {
    this.threads = threads;
    this.random = random;
    this.trace = trace;
  }

  /// Begins a life of the store, in which faults of one kind happen.
  void begin(FaultKind chosen) {
    kind = chosen;
    failed = false;
    full = false;
    callsBefore = random.nextInt(1 << random.nextInt(8));
    lasting = random.nextInt(4) == 0;
    switch (kind) {
      case NONE, POWER, KILL, DELAY, FULL -> fault = Fault.NONE;
      case IO -> {
        fault = random.nextBoolean() ? Fault.IO_ERROR : Fault.TORN;
        operation = pick(DiskOperation.values());
      }
      case SHORT -> choose(Fault.SHORT, DiskOperation.READ, DiskOperation.WRITE);
      case FLIP -> choose(Fault.BIT_FLIPPED, DiskOperation.READ, DiskOperation.WRITE);
      case MISDIRECT -> choose(Fault.MISDIRECTED, DiskOperation.READ, DiskOperation.WRITE);
      case DROP -> choose(Fault.DROPPED, DiskOperation.WRITE, DiskOperation.FORCE);
    }
    if (fault == Fault.NONE || kind.isSilent()) {
      lasting = false;
    }
  }

  private void choose(Fault chosen, DiskOperation... among) {
    fault = chosen;
    operation = pick(among);
  }

  private <T> T pick(T[] among) {
    return among[random.nextInt(among.length)];
  }

  /// What goes wrong in this life.
  FaultKind kind() {
    return kind;
  }

  /// Ends the faults of this life; what they did stays done.
  void end() {
    fault = Fault.NONE;
    kind = FaultKind.NONE;
  }

  /// Notes that the disk has little capacity from now on.
  void filled() {
    full = true;
  }

  /// Notes that a file was damaged at rest.
  void damaged() {
    lied = true;
  }

  /// Whether the disk ever lied: then it may have lost what it had acknowledged.
  boolean lied() {
    return lied;
  }

  /// Whether calls of this life may fail, or have, or the disk has lied.
  boolean mayInject() {
    return lied || failed || fault != Fault.NONE;
  }

  /// Whether reads may fail, or give something else.
  boolean mayHarmReads() {
    return lied || failed;
  }

  /// Whether all calls of this life were carried out as they should be, in their time.
  boolean isQuiet() {
    return !failed && !full && !lied && kind != FaultKind.DELAY;
  }

  @Override
  public Fault onCall(DiskCall call) {
    trace.note("disk", call.operation(), call.name(), call.position(), call.length());
    takeTime(call.operation());
    if (fault == Fault.NONE || call.operation() != operation) {
      return Fault.NONE;
    }
    if (callsBefore > 0) {
      callsBefore--;
      return Fault.NONE;
    }
    Fault chosen = fault;
    if (!lasting) {
      fault = Fault.NONE;
    }
    boolean quietly =
        kind.isSilent() && !(chosen == Fault.SHORT && operation == DiskOperation.WRITE);
    lied |= quietly;
    failed |= !quietly;
    trace.note("fault", chosen, call.operation(), call.name(), call.position());
    return chosen;
  }

  private void takeTime(DiskOperation done) {
    boolean delayed = kind == FaultKind.DELAY && random.nextInt(20) == 0;
    switch (done) {
      case FORCE, SYNC_DIRECTORY ->
          threads.pause(random.nextInt(delayed ? DELAY_NANOS_MAX : FORCE_NANOS_MAX));
      case WRITE -> threads.pause(random.nextInt(delayed ? DELAY_NANOS_MAX : WRITE_NANOS_MAX));
      case READ -> {
        if (random.nextInt(3) == 0) {
          threads.pause(random.nextInt(READ_NANOS_MAX));
        }
      }
      case OPEN, CREATE, TRUNCATE, MAP, RENAME, DELETE, CREATE_DIRECTORY -> {
        if (random.nextBoolean()) {
          threads.giveTurn();
        }
      }
    }
  }

  /// Whether a store may answer a call with this exception.
  boolean explain(Throwable e, SimulatedDisk disk) {
    return switch (e) {
      case CorruptStoreException corrupt -> lied && names(corrupt);
      case StoreFailedException _, StoreIoException _, UncheckedIOException _ ->
          disk.isOff() || failed || lied;
      case StoreFullException _ -> disk.isOff() || full;
      case VarveException _ -> disk.isOff();
      default -> false;
    };
  }

  /// Whether the message names where the damage is.
  private static boolean names(CorruptStoreException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains("file=") || message.contains("directory=");
  }
}
