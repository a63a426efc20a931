package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.admin.StoreKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class KeySourceTest {
  private static final byte[] KEY = key(1);

  @TempDir Path directory;

  private static byte[] key(long seed) {
    byte[] key = new byte[KeySource.KEY_BYTES];
    new SplittableRandom(seed).nextBytes(key);
    return key;
  }

  private Path file(byte[] content, String permissions) throws IOException {
    Path file = Files.write(directory.resolve("key"), content);
    var view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view != null) {
      view.setPermissions(PosixFilePermissions.fromString(permissions));
    }
    return file;
  }

  private Path file(String content) throws IOException {
    return file(content.getBytes(StandardCharsets.US_ASCII), "rw-------");
  }

  @Test
  void fileHoldsTheKeyRawInHexOrInBase64() throws IOException {
    String hex = HexFormat.of().formatHex(KEY);
    String base64 = Base64.getEncoder().encodeToString(KEY);
    assertThat(KeySource.file(file(KEY, "rw-------")).key("")).isEqualTo(KEY);
    assertThat(KeySource.file(file(hex)).key("")).isEqualTo(KEY);
    assertThat(KeySource.file(file(hex.toUpperCase(java.util.Locale.ROOT) + "\n")).key(""))
        .isEqualTo(KEY);
    assertThat(KeySource.file(file(base64 + "\r\n")).key("")).isEqualTo(KEY);
  }

  @Test
  void fileWithoutAKeyIsRefused() throws IOException {
    for (String content : new String[] {"", "secret", "0".repeat(63), "0".repeat(65), "=", "é"}) {
      Path file = file(content);
      assertThatThrownBy(() -> KeySource.file(file))
          .isInstanceOf(StoreKeyException.class)
          .hasMessageContaining("file=" + file)
          .hasMessageContaining("32 bytes");
    }
    assertThatThrownBy(() -> KeySource.file(directory.resolve("none")))
        .isInstanceOf(StoreKeyException.class)
        .hasMessageContaining("no such key file");
    assertThatThrownBy(() -> KeySource.file(directory)).isInstanceOf(StoreKeyException.class);
  }

  /// `openssl rand -hex 16` and `-base64 24` without their line ends have the length of a raw key,
  /// and fewer bits.
  @Test
  void fileOfThirtyTwoCharactersIsNoRawKey() throws IOException {
    byte[] half = Arrays.copyOf(KEY, 16);
    byte[] threeQuarters = Arrays.copyOf(KEY, 24);
    for (String content :
        new String[] {
          HexFormat.of().formatHex(half),
          HexFormat.of().withUpperCase().formatHex(half),
          Base64.getEncoder().encodeToString(threeQuarters),
          Base64.getUrlEncoder().encodeToString(threeQuarters)
        }) {
      Path file = file(content);
      assertThatThrownBy(() -> KeySource.file(file))
          .isInstanceOf(StoreKeyException.class)
          .hasMessageContaining("file=" + file)
          .hasMessageContaining("characters=32")
          .hasMessageContaining("openssl rand -hex 32");
    }
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "files have no modes there")
  void fileThatStrangersMayReadIsRefused() throws IOException {
    for (String permissions : new String[] {"rw----r--", "rw-----w-", "rw--w----"}) {
      Path file = file(KEY, permissions);
      assertThatThrownBy(() -> KeySource.file(file))
          .isInstanceOf(StoreKeyException.class)
          .hasMessageContaining("permissions=" + permissions)
          .hasMessageContaining("chmod 600");
    }
    assertThat(KeySource.file(file(KEY, "r--r-----")).key("")).isEqualTo(KEY);
  }

  /// What is given out may be wiped.
  @Test
  void givesOutCopies() {
    byte[] given = KEY.clone();
    KeySource source = KeySource.of(given);
    given[0] ^= 1;
    byte[] first = source.key("any");
    assertThat(first).isEqualTo(KEY);
    first[0] ^= 1;
    assertThat(source.key("any")).isEqualTo(KEY);
  }

  @Test
  void idDistinguishesKeysAndNothingElse() {
    assertThat(KeySource.of(KEY).currentId())
        .isEqualTo(KeySource.of(KEY).currentId())
        .hasSize(16)
        .isNotEqualTo(KeySource.of(key(2)).currentId());
    assertThat(HexFormat.of().formatHex(KEY)).doesNotContain(KeySource.of(KEY).currentId());
  }

  /// Guards against a raw error of a source that a user wrote.
  @Test
  void sourceWithoutACurrentKeyIsRefused() {
    Path store = directory.resolve("store");
    KeySource none = new WithoutCurrentKey();
    StoreOptions options = StoreOptions.defaults();
    assertThatThrownBy(() -> Store.open(store, options.encryption(none)))
        .isInstanceOf(StoreKeyException.class)
        .hasMessageContaining("source=" + none.getClass().getName())
        .hasMessageContaining("currentId=null");
    Store.open(store, options.encryption(KeySource.of(KEY))).close();
    assertThatThrownBy(() -> StoreKeys.change(store, KeySource.of(KEY), none))
        .isInstanceOf(StoreKeyException.class)
        .hasMessageContaining("currentId=null");
    Store.open(store, options.encryption(none)).close(); // it has the key of each id
  }

  private static final class WithoutCurrentKey implements KeySource {
    @Override
    @SuppressWarnings("NullAway") // as code may that is not checked for null
    public String currentId() {
      return null;
    }

    @Override
    public byte[] key(String id) {
      return KEY.clone();
    }
  }

  @Test
  void keyOfAnotherLengthIsRefused() {
    assertThatThrownBy(() -> KeySource.of(new byte[16]))
        .isInstanceOf(StoreKeyException.class)
        .hasMessageContaining("bytes=16");
  }
}
