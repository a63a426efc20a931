package io.varve.grid.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.grid.node.NodeException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PasswordsTest {
  /// A JVM whose standard streams are pipes, as that of tests, has no console, or one that is no
  /// terminal. The first ended the command with an internal error.
  @Test
  void withoutATerminalAMessageNamesTheWay() {
    assertThatThrownBy(() -> Passwords.ofFileOrTerminal(null, "shop"))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("no terminal")
        .hasMessageContaining("--password-file");
  }

  @Test
  void theFirstLineOfAFileIsThePassword(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("password"), "secret words\nnot these\n");
    assertThat(Passwords.ofFileOrTerminal(file, "shop")).isEqualTo("secret words");
  }
}
