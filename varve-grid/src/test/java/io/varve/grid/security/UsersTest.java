package io.varve.grid.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.grid.node.NodeException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// The users of a node, and the command that changes them.
class UsersTest {
  @TempDir Path data;

  private String run(int exitCode, String... arguments) {
    var said = new StringWriter();
    var writer = new PrintWriter(said, true);
    int code =
        new CommandLine(new UserCommand())
            .setOut(writer)
            .setErr(writer)
            .setExecutionExceptionHandler((failure, _, _) -> {
              writer.println(failure.getMessage());
              return 3;
            })
            .execute(arguments);
    assertThat(code).as("%s", said).isEqualTo(exitCode);
    return said.toString();
  }

  @Test
  void addsChangesListsAndRemoves() throws Exception {
    Path password = Files.writeString(data.resolve("password"), "secret\n");
    String directory = data.toString();
    String file = password.toString();
    assertThat(run(0, "list", "--data", directory)).isEmpty();
    run(0, "add", "bob", "--data", directory, "--password-file", file, "--role", "OBSERVER");
    run(0, "add", "alice", "--data", directory, "--password-file", file);
    assertThat(run(0, "list", "--data", directory).lines()).containsExactly("alice", "bob");
    assertThat(data.resolve("conf/groups.properties"))
        .content()
        .contains("alice=admin", "bob=observer");

    run(0, "add", "bob", "--data", directory, "--password-file", file, "--role", "APPLICATION");
    assertThat(data.resolve("conf/groups.properties")).content().contains("bob=application");
    run(0, "remove", "bob", "--data", directory);
    assertThat(run(0, "list", "--data", directory).lines()).containsExactly("alice");
    assertThat(run(3, "remove", "bob", "--data", directory)).contains("no such user: user=bob");
  }

  @Test
  void keepsHashesAlone() throws Exception {
    new Users(data).set("alice", "a-secret-of-hers", Role.ADMIN);
    assertThat(data.resolve("users.properties"))
        .content()
        .contains("alice=", "scram-sha-256")
        .doesNotContain("a-secret-of-hers");
    assertThatThrownBy(() -> new Users(data).set("bob", "", Role.ADMIN))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("the password is empty: user=bob");
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "owners are known otherwise there")
  void keepsSecretsToTheirOwner() throws Exception {
    new Users(data).set("alice", "secret", Role.ADMIN);
    Tls.selfMade(data, List.of("localhost"));
    for (String secret : new String[] {"users.properties", "self-made.p12", "self-made.password"}) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(secret))))
          .as(secret)
          .isEqualTo("rw-------");
    }
  }
}
