package io.varve.cache.internal.container;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cache.Marshaller;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KeyLocksTest {
  private static final Marshaller<Tied> MARSHALLER =
      new Marshaller<>() {
        @Override
        public byte[] toBytes(Tied key) {
          return key.name().getBytes(UTF_8);
        }

        @Override
        public Tied fromBytes(byte[] bytes) {
          return new Tied(new String(bytes, UTF_8));
        }
      };

  private final KeyLocks<Tied> locks = new KeyLocks<>(new Gate("cache"));

  /// Keys of one hash, which have no order.
  private record Tied(String name) {
    @Override
    public int hashCode() {
      return 1;
    }
  }

  private static CacheKey<Tied> key(String name) {
    return new CacheKey<>(new Tied(name), MARSHALLER);
  }

  /// Where the keys of two threads had one hash, one waited for the other. It held the key that the
  /// other waits for, and was not to wait for any: both waited forever.
  @Test
  void whatDoesNotWaitForKeysDoesNotWaitForThreadsThatDo() throws Exception {
    List<KeyLock<Tied>> taken;
    Thread other;
    try (KeyLock<Tied> _ = locks.lock(key("a"))) {
      other =
          Thread.ofPlatform()
              .start(() ->
                  locks
                      .lockAll(List.of(key("a"), key("b")), locks::lock, /* waits= */ true)
                      .forEach(KeyLock::close));
      while (!locks.isAwaitedBy(other)) {
        Thread.onSpinWait();
      }
      taken =
          locks.lockAll(
              List.of(key("c"), key("d")),
              key -> Objects.requireNonNull(locks.tryLock(key)),
              /* waits= */ false);
    }
    other.join();
    assertThat(taken).hasSize(2);
    taken.forEach(KeyLock::close);
  }
}
