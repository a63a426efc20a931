package io.varve.internal.store;

import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.DiskLock;
import io.varve.internal.disk.Mapping;
import io.varve.internal.disk.StoreThreads;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Counts what a store asks of its disk and of the system's threads, and fails one of these steps.
/// A close that fails has closed its file.
final class FailingSteps implements StoreThreads {
  /// Neither names nor sizes can fail.
  private static final Set<String> SURE =
      Set.of("describe", "name", "wasSigned", "close", "memory");

  /// Steps that are counted and not done: no power is lost here, and a device takes long for each.
  private static final Set<String> FORCES = Set.of("force", "syncDirectory");

  /// What the step that fails throws.
  enum Failing {
    IO_ERROR,
    LACK_OF_MEMORY
  }

  private final long failingStep;
  private final Failing failing;
  private final AtomicLong steps = new AtomicLong();
  private volatile boolean isOver;
  private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();

  /// @param failingStep counted from 1
  FailingSteps(long failingStep, Failing failing) {
    this.failingStep = failingStep;
    this.failing = failing;
  }

  /// Whether the step was reached.
  boolean hasFailed() {
    return steps.get() >= failingStep;
  }

  /// Steps of which none fails.
  static FailingSteps none() {
    return new FailingSteps(Long.MAX_VALUE, Failing.IO_ERROR);
  }

  /// Lets all later steps succeed, which are not counted.
  void end() {
    isOver = true;
  }

  /// The threads of the store that run.
  List<Thread> running() {
    return threads.stream().filter(Thread::isAlive).toList();
  }

  private boolean isNextFailing() {
    return !isOver && steps.incrementAndGet() == failingStep;
  }

  private IOException failure() {
    if (failing == Failing.LACK_OF_MEMORY) {
      throw new OutOfMemoryError("step " + failingStep);
    }
    return new IOException("step " + failingStep);
  }

  @Override
  public Thread newThread(String name, Runnable work) {
    if (isNextFailing()) {
      throw new OutOfMemoryError("step " + failingStep);
    }
    Thread made =
        new Thread(work, name) {
          @Override
          public void start() {
            if (isNextFailing()) {
              throw new OutOfMemoryError("unable to create native thread, step " + failingStep);
            }
            super.start();
          }
        };
    made.setDaemon(true);
    threads.add(made);
    return made;
  }

  @Override
  public boolean callerMayServe() {
    return true;
  }

  /// A disk over another one, of which each call is a step.
  Disk over(Disk disk) {
    return over(Disk.class, disk);
  }

  private <T> T over(Class<T> type, T below) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> call(below, method, arguments)));
  }

  private @Nullable Object call(Object below, Method method, Object[] arguments) throws Throwable {
    boolean closes = method.getName().equals("close") && below instanceof DiskFile;
    boolean fails = (closes || !SURE.contains(method.getName())) && isNextFailing();
    if (fails && !closes) {
      throw failure();
    }
    if (FORCES.contains(method.getName())) {
      return null;
    }
    Object result;
    try {
      result = method.invoke(below, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    if (fails) {
      throw failure();
    }
    return switch (result) {
      case DiskFile file -> over(DiskFile.class, file);
      case DiskLock lock -> over(DiskLock.class, lock);
      case Mapping mapping -> over(Mapping.class, mapping);
      case null, default -> result;
    };
  }
}
