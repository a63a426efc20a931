package io.varve.internal.crypto;

import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import javax.crypto.Cipher;
import org.jspecify.annotations.Nullable;

/// Ciphers that wait for use. To make one costs several times what it costs to encrypt a small
/// record; one for each thread would be a million for a million virtual threads. So a thread takes
/// one from the slot that its id names, or makes one, and puts it back.
///
/// For any number of threads. No thread ever waits.
final class CipherPool {
  static final String TRANSFORMATION = "AES/GCM/NoPadding";

  /// A thread that runs is on some core: with a few slots for each, two seldom want the same. A
  /// power of two.
  private static final int SLOTS =
      4 * Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors() - 1);

  /// A thread that takes a cipher out has it alone.
  private final AtomicReferenceArray<@Nullable Cipher> slots = new AtomicReferenceArray<>(SLOTS);

  Cipher take() {
    Cipher cipher = slots.getAndSet(slot(), null);
    return cipher == null ? make() : cipher;
  }

  /// Puts a cipher back; it is dropped if another one is there by now.
  void putBack(Cipher cipher) {
    slots.compareAndSet(slot(), null, cipher);
  }

  private static int slot() {
    return (int) Thread.currentThread().threadId() & (SLOTS - 1);
  }

  private static Cipher make() {
    try {
      return Cipher.getInstance(TRANSFORMATION);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK lacks AES in Galois/counter mode", e);
    }
  }
}
