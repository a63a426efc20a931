package io.varve.internal.disk;

/// Threads inside, of which some find no memory to enter.
public final class ForgetfulInsiders extends Insiders {
  private volatile boolean isFull;

  /// Has threads find no memory from now on, or find it again.
  public void full(boolean full) {
    isFull = full;
  }

  @Override
  public void enter() {
    if (isFull) {
      throw new OutOfMemoryError("by the test");
    }
    super.enter();
  }
}
