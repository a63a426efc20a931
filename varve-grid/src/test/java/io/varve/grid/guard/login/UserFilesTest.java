package io.varve.grid.guard.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.security.Role;
import io.varve.grid.security.Users;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.infinispan.cli.user.UserTool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// USERS-2: the users of a node that runs, as files change.
class UserFilesTest {
  @TempDir Path configuration;

  private Path file;
  private Path roles;
  private long nanos;
  private UserFiles users;

  @BeforeEach
  void open() throws Exception {
    new Users(configuration).set("alice", "secret", Role.ADMIN);
    new Users(configuration).set("bob", "secret", Role.OBSERVER);
    file = configuration.resolve(UserTool.DEFAULT_USERS_PROPERTIES_FILE);
    roles = configuration.resolve(UserTool.DEFAULT_GROUPS_PROPERTIES_FILE);
    users = new UserFiles(file.toFile(), roles.toFile(), false, "Roles", Users.REALM, () -> nanos);
  }

  private void settle() {
    nanos += TimeUnit.MILLISECONDS.toNanos(UserFiles.SETTLED_MILLIS);
    users.look();
  }

  @Test
  void aUserIsTheSameUntilItChanges() throws Exception {
    Optional<Object> alice = users.state("alice");
    Optional<Object> bob = users.state("bob");
    assertThat(alice).isPresent().isNotEqualTo(bob);
    assertThat(users.state("nobody")).isEmpty();

    new Users(configuration).set("carol", "secret", Role.ADMIN);
    users.look();
    assertThat(users.state("carol")).isPresent();
    assertThat(users.state("alice")).isEqualTo(alice);

    new Users(configuration).set("bob", "secret", Role.APPLICATION);
    users.look();
    assertThat(users.state("bob")).as("another role").isPresent().isNotEqualTo(bob);

    new Users(configuration).set("alice", "another", Role.ADMIN);
    users.look();
    assertThat(users.state("alice")).as("another password").isPresent().isNotEqualTo(alice);

    new Users(configuration).remove("alice");
    users.look();
    assertThat(users.state("alice")).isEmpty();
    assertThat(users.state("carol")).isPresent();
  }

  /// Half of a file has half of its users.
  @Test
  void aFileThatIsWrittenInItsPlaceIsReadWhenItIsWhole() throws Exception {
    Optional<Object> bob = users.state("bob");
    String whole = Files.readString(file);
    Files.writeString(file, "");
    users.look();
    assertThat(users.state("bob")).isEqualTo(bob);
    Files.writeString(file, whole.replaceAll("(?m)^alice=.*\n", ""));
    settle();
    assertThat(users.state("alice")).as("it has just changed").isPresent();
    settle();
    assertThat(users.state("alice")).as("roles alone are no user").isNotEqualTo(bob);
    assertThat(users.state("bob")).isEqualTo(bob);
  }

  @Test
  void aFileThatCannotBeReadChangesNothing() throws Exception {
    Optional<Object> alice = users.state("alice");
    String whole = Files.readString(file);
    Files.writeString(file, whole.replace("alice=", "alice=nonsense;"));
    users.look();
    settle();
    assertThat(users.state("alice")).isEqualTo(alice);
    Files.writeString(file, whole + "# put right\n");
    users.look();
    settle();
    assertThat(users.state("alice")).isEqualTo(alice);
    assertThat(users.state("bob")).isPresent();
  }

  /// As one whose owner is put right: neither its time nor its length is another one.
  @Test
  void aFileIsReadOnceItCanBe() throws Exception {
    Optional<Object> bob = users.state("bob");
    String whole = Files.readString(file);
    String nonsense = "nonsense;";
    Files.writeString(file, whole.replace("alice=", "alice=" + nonsense));
    users.look();
    settle();
    assertThat(users.state("bob")).isEqualTo(bob);
    FileTime time = Files.getLastModifiedTime(file);
    String right = whole.replaceAll("(?m)^b(ob=)", "#$1") + "#".repeat(nonsense.length());
    Files.writeString(file, right);
    Files.setLastModifiedTime(file, time);
    settle();
    assertThat(users.state("bob")).isNotEqualTo(bob);
  }

  @Test
  void filesThatAreGoneHaveNoUsers() throws Exception {
    Files.delete(file);
    Files.delete(roles);
    users.look();
    assertThat(users.state("alice")).isPresent();
    settle();
    assertThat(users.state("alice")).isEmpty();
  }
}
