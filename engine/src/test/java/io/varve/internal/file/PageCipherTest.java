package io.varve.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.CorruptStoreException;
import io.varve.internal.crypto.DataKey;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.page.Extent;
import io.varve.internal.page.PageImage;
import io.varve.internal.page.PageImage.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PageCipherTest {
  private static final long EXTENT = Extent.of(64, 540 + PageCipher.OVERHEAD_BYTES);

  private final PageCipher cipher = new PageCipher(key());

  private static DataKey key() {
    return DataKey.of(HexFormat.of().parseHex("0123456789abcdef".repeat(4)));
  }

  private static byte[] image(int bytes) {
    byte[] image = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(image);
    Arrays.fill(image, 0, PageImage.HEADER_BYTES, (byte) 0);
    PageImage.seal(image, bytes, Kind.LEAF, 0, 7, 9);
    return image;
  }

  /// An image is the same after the way there and back, except its checksum.
  private static void requireSame(byte[] opened, byte[] image) {
    assertThat(opened).isNotNull();
    assertThat(Arrays.copyOfRange(opened, PageImage.KIND, opened.length))
        .isEqualTo(Arrays.copyOfRange(image, PageImage.KIND, image.length));
  }

  @Test
  void comesBack() {
    for (int bytes : new int[] {PageImage.HEADER_BYTES, 33, 540, 8192, 1 << 20}) {
      byte[] image = image(bytes);
      byte[] stored = cipher.seal(image, bytes, EXTENT);
      assertThat(stored).hasSize(bytes + PageCipher.OVERHEAD_BYTES);
      assertThat(PageImage.isValid(stored, Kind.LEAF, PageImage.storedChecksum(stored))).isTrue();
      requireSame(cipher.open(stored, EXTENT), image);
      requireSame(new PageCipher(key()).open(stored, EXTENT), image);
    }
  }

  /// What one version stored, the next must open. The bytes were made by another implementation of
  /// HKDF and AES-GCM.
  @Test
  void opensTheseBytes() {
    byte[] stored =
        HexFormat.of()
            .parseHex(
                "565256704c90693b010001000700000030000000000000000900000000000000"
                    + "887766554433221100ffeeddccbbaa990500000000000000f6b7f9adf0f9d16f"
                    + "39c34172bbb9dee07e80d986f3d9ab1a");
    byte[] image = new byte[PageImage.HEADER_BYTES + 8];
    for (int i = 0; i < 8; i++) {
      image[PageImage.HEADER_BYTES + i] = (byte) (i + 1);
    }
    PageImage.seal(image, image.length, Kind.LEAF, 0, 7, 9);
    assertThat(PageImage.isValid(stored, Kind.LEAF, PageImage.storedChecksum(stored))).isTrue();
    requireSame(cipher.open(stored, Extent.of(64, stored.length)), image);
  }

  /// The same image, written twice, is different bytes: no number comes twice.
  @Test
  void noTwoImagesHaveTheSameNonce() {
    byte[] image = image(540);
    byte[] first = cipher.seal(image, 540, EXTENT);
    byte[] second = cipher.seal(image, 540, EXTENT);
    byte[] other = new PageCipher(key()).seal(image, 540, EXTENT);
    assertThat(Arrays.copyOfRange(first, 32, 56)).isNotEqualTo(Arrays.copyOfRange(second, 32, 56));
    assertThat(Arrays.copyOfRange(first, 32, 48)).isNotEqualTo(Arrays.copyOfRange(other, 32, 48));
    assertThat(Arrays.copyOfRange(first, 56, 572))
        .isNotEqualTo(Arrays.copyOfRange(second, 56, 572));
  }

  @Test
  void anyChangeIsFoundHeaderIncluded() {
    byte[] stored = cipher.seal(image(60), 60, EXTENT);
    for (int bit = 8 * PageImage.KIND; bit < 8 * stored.length; bit++) {
      stored[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThat(cipher.open(stored, EXTENT)).as("bit %d", bit).isNull();
      stored[bit / 8] ^= (byte) (1 << (bit % 8));
    }
  }

  @Test
  void anImageInAnotherPlaceDoesNotOpen() {
    byte[] stored = cipher.seal(image(540), 540, EXTENT);
    assertThat(cipher.open(stored, Extent.of(66, stored.length))).isNull();
  }

  /// An attacker that can write to the file can make any checksum right; an image in clear must not
  /// pass for it.
  @Test
  void anImageInClearIsRefused() throws IOException {
    try (Disk disk = new MemoryDisk();
        PageFile file = PageFile.open(disk, PageFile.NAME, key(), null)) {
      byte[] image = image(540);
      long extent = Extent.of(64, image.length);
      file.write(extent, ByteBuffer.wrap(image));
      assertThatThrownBy(() -> file.read(extent, Kind.LEAF, PageImage.storedChecksum(image)))
          .isInstanceOf(CorruptStoreException.class)
          .hasMessageContaining("file=")
          .hasMessageContaining("not what was encrypted");
      byte[] stored = file.stored(image, image.length, EXTENT);
      file.write(EXTENT, ByteBuffer.wrap(stored));
      requireSame(file.read(EXTENT, Kind.LEAF, PageImage.storedChecksum(stored)), image);
    }
  }

  @Test
  void keyOfAnotherStoreDoesNotOpen() {
    byte[] stored = cipher.seal(image(540), 540, EXTENT);
    assertThat(new PageCipher(DataKey.random()).open(stored, EXTENT)).isNull();
  }
}
