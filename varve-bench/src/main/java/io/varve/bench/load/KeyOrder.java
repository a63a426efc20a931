package io.varve.bench.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// How the number of a record becomes a key of two 64-bit numbers. They are big-endian, so that the
/// unsigned order of the bytes is that of the numbers.
public enum KeyOrder {
  /// The number, then its hash: records added one after the other have ascending keys.
  SEQUENTIAL {
    @Override
    public void key(long record, byte[] target) {
      LONG.set(target, 0, record);
      LONG.set(target, Long.BYTES, Mixer.mix(record));
    }

    @Override
    public long record(byte[] key) {
      long record = (long) LONG.get(key, 0);
      return (long) LONG.get(key, Long.BYTES) == Mixer.mix(record) ? record : NO_RECORD;
    }
  },

  /// The hash, then the number: records added one after the other have keys anywhere. Mixed from
  /// the number plus one, since the mix of zero is zero.
  HASHED {
    @Override
    public void key(long record, byte[] target) {
      LONG.set(target, 0, Mixer.mix(record + 1));
      LONG.set(target, Long.BYTES, record);
    }

    @Override
    public long record(byte[] key) {
      long record = (long) LONG.get(key, Long.BYTES);
      return (long) LONG.get(key, 0) == Mixer.mix(record + 1) ? record : NO_RECORD;
    }
  };

  /// What [#record(byte[])] gives for bytes that are no key.
  public static final long NO_RECORD = -1;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /// Writes the key of `record` into `target`.
  public abstract void key(long record, byte[] target);

  /// The record whose key this is, or [#NO_RECORD] if it is the key of none.
  public abstract long record(byte[] key);
}
