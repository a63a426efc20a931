package io.varve.grid.security;

import io.varve.grid.node.NodeException;
import io.varve.grid.node.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.infinispan.cli.user.UserTool;
import org.infinispan.cli.user.UserTool.Encryption;

/// The users of a node, in `users.properties` with hashes of their passwords, and
/// `groups.properties` with their roles. A node that runs sees changes within two seconds; the
/// first user is seen at its next start, since before it serves anybody.
///
/// Both files are written under other names and take the places of those that were there: a node
/// never reads a half of one.
public final class Users {
  /// The realm that the node has them in, which the hashes contain.
  public static final String REALM = "default";

  private final Path usersFile;
  private final Path groupsFile;

  /// Those of a node.
  ///
  /// @param configuration the directory `conf` of the node
  public Users(Path configuration) {
    Path absolute = configuration.toAbsolutePath();
    this.usersFile = absolute.resolve(UserTool.DEFAULT_USERS_PROPERTIES_FILE);
    this.groupsFile = absolute.resolve(UserTool.DEFAULT_GROUPS_PROPERTIES_FILE);
  }

  /// Whether there is none.
  public boolean isEmpty() {
    return names().isEmpty();
  }

  /// Their names, in order.
  public List<String> names() {
    return tool().listUsers();
  }

  /// Adds a user, or gives one that is there another password and role.
  public void set(String name, String password, Role role) throws IOException {
    if (password.isEmpty()) {
      throw new NodeException("the password is empty: user=" + name + "; choose another");
    }
    List<String> groups = List.of(role.groupName());
    boolean isThere = names().contains(name);
    change(drafts -> {
      if (isThere) {
        drafts.modifyUser(name, password, REALM, Encryption.ENCRYPTED, groups, null);
      } else {
        drafts.createUser(name, password, REALM, Encryption.ENCRYPTED, groups, null);
      }
    });
  }

  /// Removes a user.
  ///
  /// @throws NodeException if there is none of that name
  public void remove(String name) throws IOException {
    if (!names().contains(name)) {
      throw new NodeException("no such user: user=" + name + "; `varve user list` names them");
    }
    change(drafts -> drafts.removeUser(name));
  }

  /// Changes copies of both files, which then take their places. A node that looks between both
  /// sees a user with one of the changes, and the other one after that.
  private void change(Consumer<UserTool> change) throws IOException {
    Path users = draft(usersFile);
    Path groups = draft(groupsFile);
    change.accept(new UserTool(directory(), users, groups));
    replace(users, usersFile);
    replace(groups, groupsFile);
  }

  private static Path draft(Path file) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(draft);
    PrivateFiles.create(draft);
    if (Files.exists(file)) {
      Files.write(draft, Files.readAllBytes(file));
    }
    return draft;
  }

  private static void replace(Path draft, Path file) throws IOException {
    try (FileChannel written = FileChannel.open(draft, StandardOpenOption.WRITE)) {
      written.force(true); // Else a power failure may leave zeros under its name.
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private UserTool tool() {
    return new UserTool(directory(), usersFile, groupsFile);
  }

  private Path directory() {
    return Objects.requireNonNull(usersFile.getParent(), "a directory of its own");
  }
}
