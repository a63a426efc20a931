package io.varve.internal.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.crypto.DataKey.Purpose;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SessionCipherTest {
  private static final Session SESSION = new Session(0x1122334455667788L, 0x99aabbccddeeff00L);
  private static final byte[] ADDITIONAL = {1, 2, 3};

  private static DataKey key() {
    byte[] bytes = new byte[DataKey.BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    return DataKey.of(bytes);
  }

  private static byte[] text(int bytes) {
    byte[] text = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(text);
    return text;
  }

  private static byte[] seal(SessionCipher cipher, int domain, long number, byte[] text) {
    byte[] sealed = Arrays.copyOf(text, text.length + SessionCipher.TAG_BYTES);
    cipher.seal(domain, number, ADDITIONAL, sealed, 0, text.length);
    return sealed;
  }

  private static boolean opens(
      SessionCipher cipher, int domain, long number, byte[] additional, byte[] sealed) {
    return cipher.open(
        domain, number, additional, sealed, 0, sealed.length, new byte[sealed.length], 0);
  }

  /// Derivation, nonce and tag are the format: what was encrypted by one version must open in the
  /// next. The bytes were made by another implementation of HKDF and AES-GCM.
  @Test
  void hasTheseBytes() {
    byte[] text = {10, 20, 30, 40, 50};
    assertThat(HexFormat.of().formatHex(seal(key().cipher(Purpose.PAGES, SESSION), 0, 7, text)))
        .isEqualTo("551d3a05ea4e47201f988bdedec4370593cb26ea96");
    assertThat(HexFormat.of().formatHex(seal(key().cipher(Purpose.LOG, SESSION), 1, 7, text)))
        .isEqualTo("df749157b90162fe7efd5ae2ec414af2a3271c3d47");
  }

  @Test
  void whatWasSealedOpensFromAnyPlace() {
    SessionCipher cipher = key().cipher(Purpose.PAGES, SESSION);
    for (int bytes : new int[] {0, 1, 15, 16, 17, 1000, 100_000}) {
      byte[] text = text(bytes);
      byte[] array = new byte[bytes + SessionCipher.TAG_BYTES + 8];
      System.arraycopy(text, 0, array, 5, bytes);
      cipher.seal(0, bytes, ADDITIONAL, array, 5, bytes);
      byte[] opened = new byte[bytes + 3];
      assertThat(
              cipher.open(
                  0, bytes, ADDITIONAL, array, 5, bytes + SessionCipher.TAG_BYTES, opened, 3))
          .isTrue();
      assertThat(Arrays.copyOfRange(opened, 3, bytes + 3)).isEqualTo(text);
    }
  }

  @Test
  void anyChangeIsFound() {
    SessionCipher cipher = key().cipher(Purpose.PAGES, SESSION);
    byte[] sealed = seal(cipher, 3, 9, text(40));
    for (int bit = 0; bit < 8 * sealed.length; bit++) {
      sealed[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThat(opens(cipher, 3, 9, ADDITIONAL, sealed)).as("bit %d", bit).isFalse();
      sealed[bit / 8] ^= (byte) (1 << (bit % 8));
    }
    assertThat(opens(cipher, 3, 9, ADDITIONAL, sealed)).isTrue();
    assertThat(opens(cipher, 2, 9, ADDITIONAL, sealed)).isFalse();
    assertThat(opens(cipher, 3, 8, ADDITIONAL, sealed)).isFalse();
    assertThat(opens(cipher, 3, 9, new byte[] {1, 2}, sealed)).isFalse();
    for (int length = 0; length < sealed.length; length++) {
      assertThat(opens(cipher, 3, 9, ADDITIONAL, Arrays.copyOf(sealed, length))).isFalse();
    }
  }

  @Test
  void keysOfOtherPurposesSessionsAndStoresDiffer() {
    byte[] sealed = seal(key().cipher(Purpose.PAGES, SESSION), 0, 1, text(40));
    Session other = new Session(SESSION.high(), SESSION.low() + 1);
    assertThat(opens(key().cipher(Purpose.PAGES, SESSION), 0, 1, ADDITIONAL, sealed)).isTrue();
    assertThat(opens(key().cipher(Purpose.LOG, SESSION), 0, 1, ADDITIONAL, sealed)).isFalse();
    assertThat(opens(key().cipher(Purpose.PAGES, other), 0, 1, ADDITIONAL, sealed)).isFalse();
    assertThat(opens(DataKey.random().cipher(Purpose.PAGES, SESSION), 0, 1, ADDITIONAL, sealed))
        .isFalse();
  }

  @Test
  void sessionsDiffer() {
    assertThat(IntStream.range(0, 1000).mapToObj(_ -> Session.random()).distinct()).hasSize(1000);
  }

  /// Ciphers are shared among threads, and each must be one thread's at a time.
  @Test
  void manyThreadsShareTheCiphers() throws Exception {
    SessionCipher cipher = key().cipher(Purpose.LOG, SESSION);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all =
          IntStream.range(0, 64)
              .mapToObj(thread -> threads.submit(() -> sealAndOpen(cipher, thread)))
              .toList();
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  private static void sealAndOpen(SessionCipher cipher, int thread) {
    for (int i = 0; i < 200; i++) {
      long number = 1000L * thread + i;
      byte[] text = text(1 + i);
      byte[] sealed = seal(cipher, 0, number, text);
      byte[] opened = new byte[text.length];
      assertThat(cipher.open(0, number, ADDITIONAL, sealed, 0, sealed.length, opened, 0)).isTrue();
      assertThat(opened).isEqualTo(text);
      if (i % 20 == 0) {
        Thread.yield();
      }
    }
  }
}
