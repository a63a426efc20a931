package io.varve.cache;

import io.varve.Durability;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/// A point in a test's loader, writer, listener or marshaller at which the next thread that comes
/// by stops until it is released.
public final class Stop {
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final AtomicBoolean armed = new AtomicBoolean();

  public void arm() {
    armed.set(true);
  }

  /// Stops here if the stop is armed; only the first thread does.
  public void pass() {
    if (armed.compareAndSet(true, false)) {
      reached.countDown();
      await(released);
    }
  }

  public void awaitReached() {
    await(reached);
  }

  public void release() {
    released.countDown();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError("no thread interrupts tests", e);
    }
  }

  /// Waits until a thread waits for another one, or has ended.
  public static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TERMINATED) {
      Thread.onSpinWait();
    }
  }

  /// Options of a cache that passes stops where it writes and reads values.
  public static CacheOptions<Integer, String> options(
      StorageMode mode, Stop writing, Stop reading) {
    CacheOptions<Integer, String> options = new CacheOptions<>();
    options.setTypes(Integer.class, String.class);
    return options
        .mode(mode)
        .durability(Durability.BACKGROUND)
        .valueMarshaller(marshaller(writing, reading));
  }

  /// A marshaller of strings that passes stops.
  public static Marshaller<String> marshaller(Stop writing, Stop reading) {
    Marshaller<String> strings = Marshallers.ofType(String.class, Stop.class.getClassLoader());
    return new Marshaller<>() {
      @Override
      public byte[] toBytes(String object) {
        writing.pass();
        return strings.toBytes(object);
      }

      @Override
      public String fromBytes(byte[] bytes) {
        reading.pass();
        return strings.fromBytes(bytes);
      }
    };
  }
}
