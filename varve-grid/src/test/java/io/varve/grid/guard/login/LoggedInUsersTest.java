package io.varve.grid.guard.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.varve.grid.security.Role;
import io.varve.grid.security.Users;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.infinispan.cli.user.UserTool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// USERS-1, where logins and the ends of connections meet.
class LoggedInUsersTest {
  @TempDir Path configuration;

  private final LoggedInUsers users = new LoggedInUsers();

  @BeforeEach
  void open() throws Exception {
    new Users(configuration).set("alice", "secret", Role.ADMIN);
    users.watch(
        new UserFiles(
            configuration.resolve(UserTool.DEFAULT_USERS_PROPERTIES_FILE).toFile(),
            configuration.resolve(UserTool.DEFAULT_GROUPS_PROPERTIES_FILE).toFile(),
            false,
            "Roles",
            Users.REALM,
            System::nanoTime));
  }

  /// Its event loop learns of the end immediately, while it adds the user.
  @Test
  void aConnectionThatEndedDuringItsLoginIsNotHeld() {
    var connection = new EmbeddedChannel();
    connection.close();
    users.add(connection, "alice", users.now().apply("alice"));
    assertThat(users.connectionCount()).isZero();
  }

  @Test
  void aUserWhoChangesDuringALoginLosesTheConnection() throws Exception {
    Function<String, List<Optional<Object>>> before = users.now();
    new Users(configuration).set("alice", "secret", Role.OBSERVER);
    users.look();
    var connection = new EmbeddedChannel();
    users.add(connection, "alice", before.apply("alice"));
    assertThat(connection.isOpen()).isFalse();
    assertThat(users.connectionCount()).isZero();
  }
}
