package io.varve.internal.disk;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/// Memory outside of the heap, in pieces that are returned to the system together. Safe for
/// threads. Extended by tests, which refuse memory or change it.
public class NativeMemory implements AutoCloseable {
  /// What a piece begins at a multiple of: a line of the processor's cache.
  private static final long ALIGNMENT_BYTES = 64;

  private final Arena arena = Arena.ofShared();
  private final Lock closing = new ReentrantLock();
  private boolean closed;

  /// A piece of zeros, which the system has provided when this returns.
  ///
  /// @throws OutOfMemoryError if the system refuses it
  public MemorySegment allocate(long bytes) {
    return arena.allocate(bytes, ALIGNMENT_BYTES);
  }

  /// Returns all pieces: an access to one fails from now on, and never reaches memory of others.
  @Override
  public final void close() {
    closing.lock();
    try {
      if (!closed) {
        closed = true;
        arena.close();
      }
    } finally {
      closing.unlock();
    }
  }

  /// The bytes of memory that the machine or the container has, heap included.
  ///
  /// @return [Long#MAX_VALUE] where the JVM was made without the module that knows
  public static long bytesMax() {
    try {
      return systemBytes() instanceof Number bytes && bytes.longValue() > 0
          ? bytes.longValue()
          : Long.MAX_VALUE;
    } catch (JMException | NoClassDefFoundError _) {
      return Long.MAX_VALUE;
    }
  }

  // By name, since its type is not public Java API: an attribute of OpenJDK's.
  private static @Nullable Object systemBytes() throws JMException {
    return ManagementFactory.getPlatformMBeanServer()
        .getAttribute(
            new ObjectName(ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME), "TotalMemorySize");
  }
}
