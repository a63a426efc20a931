package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.VarveException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The example of the testing guide: code that uses a store, and the test that cuts its power.
class TestKitExampleTest {
  /// Small files, so that a disk in memory is quick.
  private final StoreOptions options =
      StoreOptions.defaults()
          .log(log -> log.bufferBytes(1 << 16).segmentBytes(1 << 18).bytesMax(1 << 20));

  private static final byte[] A = Codec.string().encode("a");
  private static final byte[] B = Codec.string().encode("b");

  /// Moves money in one transaction, so that none is ever lost or made.
  private static void transfer(Store store, long amount) {
    Space accounts = store.space("accounts");
    store.transact(tx -> {
      tx.put(accounts, A, Codec.int64().encode(read(tx.get(accounts, A)) - amount));
      tx.put(accounts, B, Codec.int64().encode(read(tx.get(accounts, B)) + amount));
    });
  }

  private static long read(byte @Nullable [] value) {
    return value == null ? 0 : Codec.int64().decode(value);
  }

  private static long balance(Store store, byte[] account) {
    return read(store.space("accounts").get(account));
  }

  @Test
  void noLossOfPowerMakesMoneyOrLosesATransfer() {
    for (long seed = 0; seed < 50; seed++) {
      var disk = new SimulatedDisk(seed); // which picks what was not forced and survives
      disk.cutPowerAtCall(20 + seed);
      long acknowledged = 0;
      try (Store store = SimulatedStore.open(disk, options)) {
        while (acknowledged < 1_000) {
          transfer(store, 1); // your code
          acknowledged++;
        }
      } catch (VarveException e) {
        // the power was cut
      }
      try (Store store = SimulatedStore.open(disk.powerCut(), options)) {
        assertThat(balance(store, A) + balance(store, B)).isZero();
        assertThat(balance(store, B)).isBetween(acknowledged, acknowledged + 1);
      }
    }
  }
}
