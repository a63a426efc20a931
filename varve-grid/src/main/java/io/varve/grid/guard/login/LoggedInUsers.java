package io.varve.grid.guard.login;

import io.netty.channel.Channel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/// The connections that have logged in, and as whom. Safe for threads.
///
/// (USERS-1) A connection ends once a user who has logged in by it is removed, or has another
/// password or other roles. One whose login began before the change and ends after it is added
/// first and compared then; a change is in effect before it is compared with connections. It is the
/// user whom the login itself has found, not the name that a client states.
public final class LoggedInUsers {
  private static final System.Logger LOGGER = System.getLogger(LoggedInUsers.class.getName());

  private final List<UserFiles> files = new CopyOnWriteArrayList<>();

  /// The users of each, as they were when they logged in. A proxy may have several.
  private final Map<Channel, Map<String, List<Optional<Object>>>> connections =
      new ConcurrentHashMap<>();

  /// Has the users of a realm be looked at.
  public void watch(UserFiles users) {
    files.add(users);
  }

  /// What each user is now, in each realm that has files, also if it is asked for later. It is
  /// equal for as long as the user is the same.
  Function<String, List<Optional<Object>>> now() {
    List<Function<String, Optional<Object>>> all = files.stream().map(UserFiles::now).toList();
    return name -> all.stream().map(users -> users.apply(name)).toList();
  }

  /// Adds a user of a connection, who has logged in.
  ///
  /// @param before what the user was when the login began
  void add(Channel connection, String name, List<Optional<Object>> before) {
    connections.computeIfAbsent(connection, _ -> new ConcurrentHashMap<>()).put(name, before);
    // Last: it is called immediately, in here, for a connection that has ended.
    connection.closeFuture().addListener(_ -> connections.remove(connection));
    if (!before.equals(now().apply(name))) { // USERS-1
      end(connection);
    }
  }

  /// How many connections have users.
  int connectionCount() {
    return connections.size();
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
    Function<String, List<Optional<Object>>> now = now();
    List<Channel> changed =
        connections.entrySet().stream()
            .filter(connection -> hasChanged(connection.getValue(), now))
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

  private static boolean hasChanged(
      Map<String, List<Optional<Object>>> users, Function<String, List<Optional<Object>>> now) {
    return users.entrySet().stream()
        .anyMatch(user -> !user.getValue().equals(now.apply(user.getKey())));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
  private static void end(Channel connection) {
    connection.close();
  }
}
