package io.varve.grid.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.grid.node.NodeException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
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

  @Test
  void aDashStandsForTheStandardInput() {
    InputStream input = System.in;
    System.setIn(new ByteArrayInputStream("secret words\nnot these\n".getBytes(UTF_8)));
    try {
      assertThat(Passwords.ofFileOrTerminal(Path.of("-"), "shop")).isEqualTo("secret words");
    } finally {
      System.setIn(input);
    }
  }
}
