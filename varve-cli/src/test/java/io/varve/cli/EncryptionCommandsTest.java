package io.varve.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `--key-file` of every command, and `rekey`.
final class EncryptionCommandsTest {
  @TempDir Path directory;

  private Cli cli() {
    return new Cli(directory.resolve("store"));
  }

  private String key(String name, char digit) throws IOException {
    Path file = Files.writeString(directory.resolve(name), String.valueOf(digit).repeat(64) + "\n");
    var view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view != null) {
      view.setPermissions(PosixFilePermissions.fromString("rw-------"));
    }
    return file.toString();
  }

  private void requireRefused(Cli.Result result, String said) {
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.err()).startsWith("varve: ").contains(said).hasLineCount(1);
  }

  @Test
  void aStoreMadeWithAKeyOpensWithItAlone() throws Exception {
    String key = key("a.key", 'a');
    assertThat(cli().run("put", "users", "alice", "secret-of-alice", "--key-file", key).exitCode())
        .isZero();
    assertThat(cli().run("get", "users", "alice", "--key-file", key).out())
        .isEqualToIgnoringNewLines("secret-of-alice");
    requireRefused(cli().run("get", "users", "alice"), "give its key");
    requireRefused(
        cli().run("get", "users", "alice", "--key-file", key("b.key", 'b')), "wrong key");
    requireRefused(cli().run("verify", "--key-file", "nowhere"), "no such key file");
    assertThat(cli().run("verify", "--key-file", key).out()).startsWith("sound: 1 space");
    byte[] pages = Files.readAllBytes(directory.resolve("store").resolve("pages"));
    assertThat(new String(pages, UTF_8)).doesNotContain("secret-of-alice").doesNotContain("users");
  }

  @Test
  void aKeyForAStoreInClearIsRefused() throws Exception {
    assertThat(cli().run("put", "users", "alice", "1").exitCode()).isZero();
    requireRefused(
        cli().run("get", "users", "alice", "--key-file", key("a.key", 'a')), "not encrypted");
  }

  @Test
  void backupsAndSalvageKeepTheKey() throws Exception {
    String key = key("a.key", 'a');
    String backups = directory.resolve("backups").toString();
    assertThat(cli().run("put", "users", "alice", "secret-of-alice", "--key-file", key).exitCode())
        .isZero();
    assertThat(cli().run("backup", backups, "--key-file", key).exitCode()).isZero();
    for (String command : new String[] {"restore", "salvage"}) {
      String source = command.equals("restore") ? backups : directory.resolve("store").toString();
      String made = directory.resolve(command).toString();
      requireRefused(Cli.runBare("", command, source, made), "give its key");
      Cli.Result result = Cli.runBare("", command, source, made + "-2", "--key-file", key);
      assertThat(result.exitCode()).as(result.err()).isZero();
      Cli again = new Cli(Path.of(made + "-2"));
      assertThat(again.run("get", "users", "alice", "--key-file", key).out())
          .isEqualToIgnoringNewLines("secret-of-alice");
      requireRefused(again.run("get", "users", "alice"), "give its key");
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file, ISO_8859_1))
            .as(file.toString())
            .doesNotContain("secret-of-");
      }
    }
  }

  @Test
  void rekeyChangesTheKey() throws Exception {
    String old = key("old.key", 'a');
    String next = key("new.key", 'b');
    assertThat(cli().run("put", "users", "alice", "1", "--key-file", old).exitCode()).isZero();
    Cli.Result rekey = cli().run("rekey", "--key-file", old, "--new-key-file", next);
    assertThat(rekey.exitCode()).isZero();
    assertThat(rekey.out()).contains(next);
    requireRefused(cli().run("get", "users", "alice", "--key-file", old), "wrong key");
    assertThat(cli().run("get", "users", "alice", "--key-file", next).out())
        .isEqualToIgnoringNewLines("1");
    requireRefused(cli().run("rekey", "--key-file", old, "--new-key-file", next), "wrong key");
    assertThat(cli().run("rekey", "--new-key-file", next).exitCode()).isEqualTo(2);
  }
}
