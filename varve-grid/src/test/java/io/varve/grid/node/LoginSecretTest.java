package io.varve.grid.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoginSecretTest {
  @TempDir Path configuration;

  @Test
  void itIsMadeOnceForItsOwnerAlone() throws Exception {
    byte[] made = LoginSecret.of(configuration);
    assertThat(made).hasSize(32);
    assertThat(LoginSecret.of(configuration)).isEqualTo(made);
    Path file = configuration.resolve("login.secret");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  /// As a full disk or a power failure may leave it.
  @Test
  void oneThatIsNotWholeIsMadeAgain() throws Exception {
    Files.write(configuration.resolve("login.secret"), new byte[3]);
    assertThat(LoginSecret.of(configuration)).hasSize(32).isEqualTo(LoginSecret.of(configuration));
  }
}
