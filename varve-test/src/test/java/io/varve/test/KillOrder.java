package io.varve.test;

import java.util.List;
import java.util.SplittableRandom;

/// When a [KillChild] asks to be killed.
///
/// @param phase the phase
/// @param calls how many calls of the phase pass before; the child may end without as many
/// @param holds whether the thread that gets there makes no further step, so that the kill finds it
///   between two calls of the disk; otherwise it continues until the kill comes
record KillOrder(KillPhase phase, int calls, boolean holds) {
  /// An order for a phase, mostly early in it.
  static KillOrder random(KillPhase phase, SplittableRandom random) {
    int bound = 1 + random.nextInt(phase.callsMax());
    return new KillOrder(phase, random.nextInt(bound), random.nextBoolean());
  }

  static KillOrder parse(String phase, String calls, String holds) {
    return new KillOrder(
        KillPhase.valueOf(phase), Integer.parseInt(calls), Boolean.parseBoolean(holds));
  }

  List<String> arguments() {
    return List.of(phase.name(), Integer.toString(calls), Boolean.toString(holds));
  }
}
