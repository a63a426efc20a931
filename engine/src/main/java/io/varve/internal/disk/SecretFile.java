package io.varve.internal.disk;

import io.varve.StoreKeyException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/// A small file outside of any store that holds a secret: read whole, and only if no stranger may
/// read or change it.
public final class SecretFile {
  /// Far more than a key takes in any form, so that a wrong file is not read to its end.
  private static final int BYTES_MAX = 4096;

  /// What must not be allowed. A group may read, since that is how secrets are handed to
  /// containers.
  private static final Set<PosixFilePermission> REFUSED =
      EnumSet.of(
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private SecretFile() {}

  /// Reads the file, or its start if it is long.
  ///
  /// @throws StoreKeyException if it cannot be read, or could be by strangers
  public static byte[] read(Path file) {
    try {
      requirePrivate(file);
      try (InputStream in = Files.newInputStream(file)) {
        return in.readNBytes(BYTES_MAX);
      }
    } catch (NoSuchFileException e) {
      throw new StoreKeyException(
          "no such key file: file=" + file + "; name the file of the key", e);
    } catch (IOException e) {
      throw new StoreKeyException(
          "key file cannot be read: file=" + file + "; " + e.getMessage(), e);
    }
  }

  /// Where the file system knows no such permissions, they cannot be checked.
  private static void requirePrivate(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null) {
      return;
    }
    Set<PosixFilePermission> permissions = view.readAttributes().permissions();
    if (permissions.stream().anyMatch(REFUSED::contains)) {
      throw new StoreKeyException(
          "key file is open to others: file="
              + file
              + ", permissions="
              + PosixFilePermissions.toString(permissions)
              + "; take them away: chmod 600 "
              + file);
    }
  }
}
