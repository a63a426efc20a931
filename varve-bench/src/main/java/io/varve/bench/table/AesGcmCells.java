package io.varve.bench.table;

import io.varve.bench.measure.Timing;
import io.varve.bench.report.Metric;
import io.varve.bench.report.RowSink;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// AES-256-GCM of this JDK alone, on one thread: of a small record, of a page, of a chunk of a
/// large value, each with a nonce of its own. What an encrypted store cannot be faster than.
final class AesGcmCells {
  private static final int[] TEXT_BYTES = {128, 8192, 1 << 20};
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;

  private final SecretKey key = new SecretKeySpec(new byte[32], "AES");
  private final Cipher cipher;
  private final ByteBuffer nonce = ByteBuffer.allocate(NONCE_BYTES);
  private long operations;

  private AesGcmCells() throws GeneralSecurityException {
    cipher = Cipher.getInstance("AES/GCM/NoPadding");
  }

  /// Runs the cells and gives their rows.
  static void run(Timing timing, RowSink rows) {
    try {
      var cells = new AesGcmCells();
      for (int bytes : TEXT_BYTES) {
        byte[] text = new byte[bytes + TAG_BYTES];
        cells.sealFor(timing.warmUpNanos(), text);
        rows.accept(
            "aes-gcm seal of " + bytes + " B",
            1,
            Metric.THROUGHPUT,
            cells.sealFor(timing.measuredNanos(), text));
        cells.openFor(timing.warmUpNanos(), text);
        rows.accept(
            "aes-gcm open of " + bytes + " B",
            1,
            Metric.THROUGHPUT,
            cells.openFor(timing.measuredNanos(), text));
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK lacks AES in Galois/counter mode", e);
    }
  }

  /// @return megabytes a second
  private double sealFor(long wantedNanos, byte[] text) throws GeneralSecurityException {
    long begin = System.nanoTime();
    long count = 0;
    long nanos;
    do {
      seal(text);
      count++;
      nanos = System.nanoTime() - begin;
    } while (nanos < wantedNanos);
    return megabytesPerSecond(count, text, nanos);
  }

  private void seal(byte[] text) throws GeneralSecurityException {
    nonce.putLong(0, operations++);
    cipher.init(Cipher.ENCRYPT_MODE, key, parameters());
    cipher.doFinal(text, 0, text.length - TAG_BYTES, text, 0);
  }

  /// @return megabytes a second
  private double openFor(long wantedNanos, byte[] text) throws GeneralSecurityException {
    seal(text);
    byte[] opened = new byte[text.length - TAG_BYTES];
    long begin = System.nanoTime();
    long count = 0;
    long nanos;
    do {
      cipher.init(Cipher.DECRYPT_MODE, key, parameters());
      cipher.doFinal(text, 0, text.length, opened, 0);
      count++;
      nanos = System.nanoTime() - begin;
    } while (nanos < wantedNanos);
    return megabytesPerSecond(count, text, nanos);
  }

  private static double megabytesPerSecond(long count, byte[] text, long nanos) {
    return count * (double) (text.length - TAG_BYTES) * 1e3 / nanos;
  }

  private GCMParameterSpec parameters() {
    return new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce.array());
  }
}
