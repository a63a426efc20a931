package io.varve.control.internal;

import io.varve.Statistics;
import io.varve.Store;
import io.varve.control.HolderFigures;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;

/// [HolderFigures] as they are sent.
///
/// @param statistics of the store
/// @param processId of the process
/// @param uptimeMillis of the process
/// @param heapUsedBytes of the process
/// @param heapBytesMax of the process
public record HolderImage(
    StatisticsImage statistics,
    long processId,
    long uptimeMillis,
    long heapUsedBytes,
    long heapBytesMax) {
  static HolderImage of(Store store) {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    Statistics now = store.statistics();
    return new HolderImage(
        StatisticsImage.of(now),
        ProcessHandle.current().pid(),
        ManagementFactory.getRuntimeMXBean().getUptime(),
        heap.getUsed(),
        heap.getMax());
  }

  /// The figures that this stands for.
  public HolderFigures figures() {
    return new HolderFigures(
        statistics.figures(), processId, uptimeMillis, heapUsedBytes, heapBytesMax);
  }
}
