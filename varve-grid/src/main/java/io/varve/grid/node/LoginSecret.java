package io.varve.grid.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;

/// A secret of a node with users, by which names that no user has are answered as those of users.
/// It stays the same: a name whose answer changed would be one of nobody.
final class LoginSecret {
  private static final String FILE = "login.secret";
  private static final int BYTES = 32;

  private LoginSecret() {}

  /// Reads the secret, or makes it.
  ///
  /// @param configuration the directory `conf` of the node, which this process has locked
  static byte[] of(Path configuration) {
    Path file = configuration.resolve(FILE);
    try {
      byte[] stored = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
      if (stored.length == BYTES) {
        return stored;
      }
      byte[] made = new byte[BYTES];
      new SecureRandom().nextBytes(made);
      Path whole = configuration.resolve(FILE + ".new");
      Files.deleteIfExists(whole);
      PrivateFiles.create(whole);
      try (var bytes = FileChannel.open(whole, StandardOpenOption.WRITE)) {
        bytes.write(ByteBuffer.wrap(made));
        bytes.force(true); // Else a power failure may leave zeros under its name.
      }
      Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep a secret: file=" + file, e);
    }
  }
}
