package io.varve.grid.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.grid.node.NodeException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
  private List<String> names = List.of();

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
    return holder.options.protection(data, address, names);
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
    Tls made = Tls.selfMade(Files.createDirectory(data.resolve("made")), List.of("localhost"));
    Path keyPassword = Files.writeString(data.resolve("key-password"), made.password());
    Protection protection =
        protection(
            HERE,
            "--tls-keystore",
            made.keystore().toString(),
            "--tls-password-file",
            keyPassword.toString());
    assertThat(protection.tls())
        .isEqualTo(new Tls(made.keystore(), made.password(), false, Set.of()));
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

  /// Names and addresses of a certificate, by the kinds that X.509 has for them.
  private List<String> alternatives(Tls tls) throws Exception {
    KeyStore store = KeyStore.getInstance(tls.keystore().toFile(), tls.password().toCharArray());
    var certificate = (X509Certificate) store.getCertificate("varve");
    List<String> names = new ArrayList<>();
    certificate
        .getSubjectAlternativeNames()
        .forEach(name -> names.add(name.get(0) + " " + name.get(1)));
    return names;
  }

  @Test
  void aCertificateOfItsOwnHasAllNamesOfTheNode() throws Exception {
    names = List.of("shop.example", "192.0.2.7", "2001:db8::7");
    Tls tls = protection(OPEN, "--no-users").tls();
    assertThat(alternatives(tls))
        .contains("2 localhost", "7 127.0.0.1", "7 0:0:0:0:0:0:0:1")
        .contains("2 " + InetAddress.getLocalHost().getHostName())
        .contains("2 shop.example", "7 192.0.2.7", "7 2001:db8:0:0:0:0:0:7")
        .doesNotHaveDuplicates();
    assertThat(tls.unnamed()).isEmpty();

    names = List.of("shop.example", "other.example");
    Tls later = protection(OPEN, "--no-users").tls();
    assertThat(later.unnamed()).containsExactly("other.example");
    assertThat(later.fingerprint()).isEqualTo(tls.fingerprint());
  }

  @Test
  void aCertificateOfItsOwnHasTheAddressOfTheNode() throws Exception {
    assertThat(alternatives(protection("127.0.0.3", "--tls").tls()))
        .contains("7 127.0.0.3", "2 localhost");
  }
}
