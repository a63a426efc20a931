package io.varve.internal.disk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.UUID;

/// Random numbers to name things by, which no other store has. They are no secrets.
///
/// They come from the system's own file of random bytes, where there is one. To set up
/// `SecureRandom`, which reads the same file, takes a new JVM 40 ms: a tenth of the time to its
/// first put.
public final class RandomIds {
  private static final Path SYSTEM = Path.of("/dev/urandom");

  private RandomIds() {}

  /// The next one.
  public static UUID next() {
    try (InputStream bytes = Files.newInputStream(SYSTEM)) {
      ByteBuffer id = ByteBuffer.wrap(bytes.readNBytes(2 * Long.BYTES));
      return new UUID(id.getLong(), id.getLong());
    } catch (IOException | BufferUnderflowException _) {
      SecureRandom random = new SecureRandom();
      return new UUID(random.nextLong(), random.nextLong());
    }
  }
}
