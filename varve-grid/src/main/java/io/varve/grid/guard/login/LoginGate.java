package io.varve.grid.guard.login;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.varve.grid.guard.connection.Peer;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What all logins of a node pass, by whichever protocol: [LoginTurns] decides when one is carried
/// out, [FailedLogins] counts those that fail, and [LoggedInUsers] knows those that do not.
@SuppressWarnings("FutureReturnValueIgnored") // Tasks of the timer report what they fail by.
public final class LoginGate {
  private static final System.Logger LOGGER = System.getLogger(LoginGate.class.getName());
  private static final AttributeKey<LoginGate> OF_CONNECTION =
      AttributeKey.valueOf(LoginGate.class, "gate");

  /// Logins that wait are looked at so often, if nothing else has one begin.
  private static final long LOOK_MILLIS = 100;

  /// Users that have changed are looked for so often.
  private static final long USERS_MILLIS = 1_000;

  /// Of a network of IPv6. One client may have all of its addresses.
  private static final int NETWORK_BYTES = 8;

  private final ScheduledThreadPoolExecutor timer;
  private final LoginTurns turns;
  private final FailedLogins failed;
  private final LoggedInUsers users = new LoggedInUsers();

  public LoginGate(int failuresMax) {
    this.timer = new ScheduledThreadPoolExecutor(1, new DefaultThreadFactory("varve-logins", true));
    int computedMax = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    this.turns = new LoginTurns(failuresMax, computedMax, System::nanoTime, after(LOOK_MILLIS));
    this.failed =
        new FailedLogins(
            after(TimeUnit.SECONDS.toMillis(FailedLogins.SECONDS)),
            line -> LOGGER.log(System.Logger.Level.WARNING, line));
  }

  /// Carries tasks out some time later.
  private Executor after(long millis) {
    return task -> {
      try {
        timer.schedule(task, millis, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException _) {
        // The node has stopped, and no client waits.
      }
    };
  }

  /// Has users that change be seen, from now on.
  public void start() {
    timer.scheduleWithFixedDelay(users::look, 0, USERS_MILLIS, TimeUnit.MILLISECONDS);
  }

  public void stop() {
    timer.shutdownNow();
  }

  public FailedLogins failed() {
    return failed;
  }

  public LoggedInUsers users() {
    return users;
  }

  /// Has a connection log in here.
  public void take(Channel connection) {
    connection.attr(OF_CONNECTION).set(this);
  }

  /// Where a connection logs in, or one of its streams of HTTP/2.
  public static LoginGate of(Channel channel) {
    return connection(channel).attr(OF_CONNECTION).get();
  }

  private static Channel connection(Channel channel) {
    return channel.hasAttr(OF_CONNECTION) ? channel : channel.parent();
  }

  /// Carries a login out when it is its turn, in the event loop of its connection.
  ///
  /// @param name that its client states, null if it is not known
  /// @param login which may be a step of one
  /// @param user who has logged in, if it is right; null if nobody knows
  /// @return what it returns, or a [LoginTurns.TooMany]
  public <T> CompletableFuture<T> login(
      Channel channel,
      LoginProtocol protocol,
      @Nullable String name,
      Supplier<CompletionStage<T>> login,
      Function<T, LoginTurns.Outcome> outcome,
      Function<T, @Nullable String> user) {
    var result = new CompletableFuture<T>();
    Function<String, List<Optional<Object>>> before = users.now();
    turns
        .take(
            source(channel),
            name,
            channel.eventLoop(),
            () ->
                channel.isOpen()
                    ? login.get()
                    : CompletableFuture.failedFuture(new ClosedChannelException()),
            outcome,
            user)
        .whenComplete((value, failure) -> {
          if (failure != null) {
            if (!(failure instanceof ClosedChannelException)) {
              failed.add(Peer.address(channel), protocol);
            }
            result.completeExceptionally(failure);
            return;
          }
          switch (outcome.apply(value)) {
            case WRONG -> failed.add(Peer.address(channel), protocol);
            case RIGHT -> {
              String found = user.apply(value);
              if (found != null) { // USERS-1
                users.add(connection(channel), found, before.apply(found));
              }
            }
            case OPEN -> {}
          }
          result.complete(value);
        });
    return result;
  }

  /// The address of a client, or the network of one of IPv6.
  private static String source(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress remote
            && remote.getAddress() instanceof Inet6Address address
        ? HexFormat.of().formatHex(Arrays.copyOf(address.getAddress(), NETWORK_BYTES))
        : Peer.address(channel);
  }
}
