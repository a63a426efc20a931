package io.varve.grid.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.grid.node.NodeException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// Which protection a node has at which address.
class SecurityOptionsTest {
  private static final String HERE = "127.0.0.1";
  private static final String OPEN = "0.0.0.0";

  @TempDir Path data;

  private Path password;

  @Command
  private static final class Holder {
    @Mixin SecurityOptions options;
  }

  @BeforeEach
  void writePassword() throws Exception {
    password = Files.writeString(data.resolve("password"), "secret\nno part of it\n");
  }

  private Protection protection(String address, String... arguments) {
    var holder = new Holder();
    new CommandLine(holder).parseArgs(arguments);
    return holder.options.protection(data, address);
  }

  private Users users() {
    return new Users(data.resolve("conf"));
  }

  @Test
  void asksForNothingAtThisMachinesOwnAddresses() {
    for (String address : new String[] {HERE, "::1", "localhost"}) {
      assertThat(protection(address)).isEqualTo(new Protection(false, null));
    }
  }

  @Test
  void asksForUsersOnceThereAreSome() throws Exception {
    users().set("alice", "secret", Role.APPLICATION);
    assertThat(protection(HERE)).isEqualTo(new Protection(true, null));
    users().remove("alice");
    assertThat(protection(HERE)).isEqualTo(new Protection(false, null));
  }

  @Test
  void refusesToBeOpenWithoutUsers() {
    assertThatThrownBy(() -> protection(OPEN))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("no users")
        .hasMessageContaining("--no-users");
  }

  @Test
  void encryptsWhereOthersCanListen() {
    Protection protection =
        protection(OPEN, "--user", "alice", "--password-file", password.toString());
    assertThat(protection.users()).isTrue();
    assertThat(protection.tls()).isNotNull();
    assertThat(protection.tls().selfMade()).isTrue();
    assertThat(data.resolve("conf/self-made.pem")).content().startsWith("-----BEGIN CERTIFICATE");
    assertThat(protection(OPEN).tls()).as("the next start").isEqualTo(protection.tls());
  }

  @Test
  void leavesOutWhatIsNamed() {
    assertThat(protection(OPEN, "--no-users", "--no-tls")).isEqualTo(new Protection(false, null));
    assertThat(protection(HERE, "--tls").tls()).isNotNull();
  }

  @Test
  void takesAKeyThatIsGiven() throws Exception {
    Tls made = Tls.selfMade(Files.createDirectory(data.resolve("made")), "localhost");
    Path keyPassword = Files.writeString(data.resolve("key-password"), made.password());
    Protection protection =
        protection(
            HERE,
            "--tls-keystore",
            made.keystore().toString(),
            "--tls-password-file",
            keyPassword.toString());
    assertThat(protection.tls()).isEqualTo(new Tls(made.keystore(), made.password(), false));
    assertThat(protection.tls().fingerprint()).isEqualTo(made.fingerprint());

    assertThatThrownBy(() ->
            protection(
                HERE,
                "--tls-keystore",
                made.keystore().toString(),
                "--tls-password-file",
                password.toString()))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("cannot read the keystore: file=" + made.keystore());
  }
}
