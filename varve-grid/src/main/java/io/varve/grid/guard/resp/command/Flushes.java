package io.varve.grid.guard.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.List;

/// What `FLUSHALL` and `FLUSHDB` are asked for.
///
/// (FLUSH-1) A flush is answered when no reader sees an entry any more, and none comes back after a
/// kill. At Redis that is true with `ASYNC` too, which only leaves the memory to be freed later.
/// Infinispan answers an `ASYNC` flush before it begins, and notifies no client when it fails.
final class Flushes {
  private static final String ASYNC = "ASYNC";
  private static final byte[] SYNC = "SYNC".getBytes(US_ASCII);

  private Flushes() {}

  /// The arguments, with `SYNC` for an only `ASYNC`; others stay, for Infinispan to judge.
  static List<byte[]> awaited(List<byte[]> arguments) {
    return arguments.size() == 1
            && ASYNC.equalsIgnoreCase(new String(arguments.getFirst(), US_ASCII))
        ? List.of(SYNC)
        : arguments;
  }
}
