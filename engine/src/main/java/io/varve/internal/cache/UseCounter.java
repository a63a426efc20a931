package io.varve.internal.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Counts what happens so often that an atomic step would cost more than what is counted. Each
/// thread adds to the cell that its id chooses; threads that share a cell may lose some.
final class UseCounter {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

  private static final int CELLS = 64;

  /// Cells are two cache lines apart, so that no thread takes another's from it.
  private static final int SPACING = 16;

  private final long[] cells = new long[CELLS * SPACING];

  void increment() {
    int cell = ((int) Thread.currentThread().threadId() & (CELLS - 1)) * SPACING;
    CELL.setOpaque(cells, cell, (long) CELL.getOpaque(cells, cell) + 1);
  }

  long sum() {
    long sum = 0;
    for (int cell = 0; cell < cells.length; cell += SPACING) {
      sum += (long) CELL.getOpaque(cells, cell);
    }
    return sum;
  }
}
