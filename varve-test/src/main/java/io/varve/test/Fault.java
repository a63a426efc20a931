package io.varve.test;

/// What goes wrong with a call of a simulated disk.
public enum Fault {
  /// Nothing.
  NONE,

  /// The call fails. A write has no effect. A force that fails has made some of the bytes durable
  /// and lost the others for good: reads show them until the power is cut, but no later force
  /// writes them. Linux does so, which counts a page whose writing failed as clean. Of synchronous
  /// writes some fail like a write, and some like a force.
  IO_ERROR,

  /// A write fails half way: its first sectors are written. Any other call fails as with
  /// [#IO_ERROR].
  TORN,

  /// A read ends early, as if the file did. A write fails after some of its bytes, which need not
  /// be whole sectors. Any other call fails as with [#IO_ERROR].
  SHORT,

  /// The call fails for lack of capacity; a force as with [#IO_ERROR].
  DISK_FULL,

  /// No more files may be opened: a call that opens a file or a directory fails. Other calls are
  /// unharmed.
  FILE_LIMIT,

  /// A write or force reports that it is done and does nothing. Other calls are unharmed.
  DROPPED,

  /// A write or read happens some sectors away from its offset. Other calls are unharmed.
  MISDIRECTED,

  /// One bit of what a write writes or a read reads is inverted. Other calls are unharmed.
  BIT_FLIPPED,

  /// The power is cut during the call: it fails, what it did was not forced, and every later call
  /// fails.
  POWER_CUT
}
