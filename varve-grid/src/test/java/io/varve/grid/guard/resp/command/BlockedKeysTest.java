package io.varve.grid.guard.resp.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BlockedKeysTest {
  private static final int CLIENTS_MAX = 100;

  private final byte[] key = "k".getBytes(UTF_8);

  private final AtomicInteger served = new AtomicInteger();

  /// A client that always finds something, as `BLMOVE k k`, and then waits as another one.
  private final class Circling implements BlockedKeys.Client {
    private final long number;

    Circling(long number) {
      this.number = number;
    }

    @Override
    public long number() {
      return number;
    }

    @Override
    public BlockedKeys.Kind kind() {
      return BlockedKeys.Kind.LIST;
    }

    @Override
    public List<byte[]> movesTo() {
      return List.of();
    }

    @Override
    public CompletionStage<Boolean> offer(byte[] offered) {
      BlockedKeys.remove("circles", List.of(key), this);
      if (served.incrementAndGet() < CLIENTS_MAX) {
        BlockedKeys.add("circles", List.of(key), new Circling(number + 2));
      }
      return CompletableFuture.completedFuture(true);
    }
  }

  /// BLOCKED-9
  @Test
  void clientsThatComeDuringAPassDoNotProlongIt() {
    BlockedKeys.add("circles", List.of(key), new Circling(1));
    BlockedKeys.add("circles", List.of(key), new Circling(2));
    assertThat(BlockedKeys.serve("circles", key).toCompletableFuture()).isCompleted();
    assertThat(served).hasValue(2);
    while (BlockedKeys.isAwaited("circles", key)) {
      assertThat(BlockedKeys.serve("circles", key).toCompletableFuture()).isCompleted();
    }
  }
}
