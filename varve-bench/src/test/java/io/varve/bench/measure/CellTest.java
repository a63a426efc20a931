package io.varve.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CellTest {
  private static final Timing SHORT = Timing.seconds(0.02, 0.05);

  @ParameterizedTest
  @EnumSource(ThreadKind.class)
  void countsOperationsOfAllThreadsAndTheirLatencies(ThreadKind kind) {
    AtomicInteger closed = new AtomicInteger();
    CellResult result =
        Cell.latency(
            4,
            kind,
            SHORT,
            Cell.Observer.NONE,
            index ->
                new Worker() {
                  @Override
                  public void step() {
                    LockSupport.parkNanos(1_000_000);
                  }

                  @Override
                  public void close() {
                    closed.incrementAndGet();
                  }
                });
    assertThat(result.operations()).isPositive();
    assertThat(result.latencies().getTotalCount())
        .isBetween(result.operations(), result.operations() + 4);
    assertThat(result.micros(50)).isGreaterThan(900);
    assertThat(closed).hasValue(4);
  }

  /// An operation under way when the time ends does not count, but its latency shows.
  @Test
  void operationsUnderWayAtTheEndShowInTheLatencies() {
    CellResult result =
        Cell.latency(
            1,
            ThreadKind.PLATFORM,
            SHORT,
            Cell.Observer.NONE,
            index ->
                () -> {
                  long end = System.nanoTime() + 200_000_000;
                  while (System.nanoTime() < end) {
                    LockSupport.parkNanos(end - System.nanoTime());
                  }
                });
    assertThat(result.operations()).isZero();
    assertThat(result.micros(99)).isGreaterThan(190_000);
  }

  @Test
  void failureOfAWorkerEndsTheCell() {
    assertThatThrownBy(() ->
            Cell.rate(
                2,
                Timing.seconds(0, 60),
                Cell.Observer.NONE,
                index ->
                    () -> {
                      throw new IllegalStateException("broken");
                    }))
        .hasRootCauseMessage("broken");
  }
}
