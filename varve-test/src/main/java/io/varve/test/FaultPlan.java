package io.varve.test;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/// Decides what goes wrong, call by call. Asked by every thread that uses the disk, before the call
/// has any effect and while no lock is held: a plan that waits delays the call.
@FunctionalInterface
public interface FaultPlan {
  /// What goes wrong with `call`.
  Fault onCall(DiskCall call);

  /// Nothing ever goes wrong.
  static FaultPlan none() {
    return _ -> Fault.NONE;
  }

  /// Every call that `when` takes goes wrong.
  static FaultPlan always(Predicate<DiskCall> when, Fault fault) {
    return call -> when.test(call) ? fault : Fault.NONE;
  }

  /// Of the calls that `when` takes, the one with this number goes wrong, and no other.
  ///
  /// @param number counted from 1
  static FaultPlan nth(long number, Predicate<DiskCall> when, Fault fault) {
    AtomicLong seen = new AtomicLong();
    return call -> when.test(call) && seen.incrementAndGet() == number ? fault : Fault.NONE;
  }

  /// Of the calls of one kind, the one with this number goes wrong, and no other.
  ///
  /// @param number counted from 1
  static FaultPlan nth(long number, DiskOperation operation, Fault fault) {
    return nth(number, call -> call.operation() == operation, fault);
  }
}
