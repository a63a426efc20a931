package io.varve.grid.security;

import io.varve.grid.node.NodeException;
import io.varve.grid.node.PrivateFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.infinispan.cli.user.UserTool;
import org.infinispan.cli.user.UserTool.Encryption;

/// The users of a node, in `users.properties` with hashes of their passwords, and
/// `groups.properties` with their roles. A node that runs sees changes within seconds; the first
/// user is seen at its next start, since before it serves anybody.
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
    PrivateFiles.create(usersFile);
    PrivateFiles.create(groupsFile);
    UserTool tool = tool();
    List<String> groups = List.of(role.groupName());
    if (tool.listUsers().contains(name)) {
      tool.modifyUser(name, password, REALM, Encryption.ENCRYPTED, groups, null);
    } else {
      tool.createUser(name, password, REALM, Encryption.ENCRYPTED, groups, null);
    }
  }

  /// Removes a user.
  ///
  /// @throws NodeException if there is none of that name
  public void remove(String name) {
    UserTool tool = tool();
    if (!tool.listUsers().contains(name)) {
      throw new NodeException("no such user: user=" + name + "; `varve user list` names them");
    }
    tool.removeUser(name);
  }

  private UserTool tool() {
    return new UserTool(usersFile.getParent(), usersFile, groupsFile);
  }
}
