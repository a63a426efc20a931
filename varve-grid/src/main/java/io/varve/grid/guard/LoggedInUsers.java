package io.varve.grid.guard;

import io.netty.channel.Channel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// The connections that have logged in, and as whom. Safe for threads.
///
/// (USERS-1) A connection ends once a user who has logged in by it is removed, or has another
/// password or other roles. One whose login began before the change and ends after it is added
/// first and compared then; a change is in effect before it is compared with connections.
final class LoggedInUsers {
  private static final System.Logger LOGGER = System.getLogger(LoggedInUsers.class.getName());

  private final List<UserFiles> files = new CopyOnWriteArrayList<>();

  /// The users of each, as they were when they logged in. A proxy may have several.
  private final Map<Channel, Map<String, List<Optional<Object>>>> connections =
      new ConcurrentHashMap<>();

  /// Has the users of a realm be looked at.
  void watch(UserFiles users) {
    files.add(users);
  }

  /// What a user is now, in each realm that has files: equal for as long as it is the same.
  List<Optional<Object>> state(String name) {
    return files.stream().map(users -> users.state(name)).toList();
  }

  /// Adds a user of a connection, who has logged in.
  ///
  /// @param before what the user was when the login began
  void add(Channel connection, String name, List<Optional<Object>> before) {
    Map<String, List<Optional<Object>>> users =
        connections.computeIfAbsent(
            connection,
            _ -> {
              connection.closeFuture().addListener(_ -> connections.remove(connection));
              return new ConcurrentHashMap<>();
            });
    users.put(name, before);
    if (!before.equals(state(name))) { // USERS-1
      end(connection);
    }
  }

  /// Looks whether users have changed, and ends their connections.
  void look() {
    try {
      files.forEach(UserFiles::look);
      endChanged();
    } catch (RuntimeException e) {
      LOGGER.log(System.Logger.Level.ERROR, "cannot look whether users have changed", e);
    }
  }

  private void endChanged() {
    List<Channel> changed =
        connections.entrySet().stream()
            .filter(connection -> hasChanged(connection.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    for (Channel connection : changed) {
      connections.remove(connection);
      end(connection);
    }
    if (!changed.isEmpty()) {
      LOGGER.log(
          System.Logger.Level.INFO,
          "users have changed, and their connections were closed: count=" + changed.size());
    }
  }

  private boolean hasChanged(Map<String, List<Optional<Object>>> users) {
    return users.entrySet().stream()
        .anyMatch(user -> !user.getValue().equals(state(user.getKey())));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
  private static void end(Channel connection) {
    connection.close();
  }
}
