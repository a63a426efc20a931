package io.varve.grid.guard.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.FastThreadLocal;
import io.varve.grid.guard.connection.PrivateField;
import io.varve.grid.guard.connection.ProxiedCall;
import io.varve.grid.guard.login.LoginGate;
import io.varve.grid.guard.login.LoginProtocol;
import io.varve.grid.guard.login.LoginTurns;
import io.varve.grid.guard.login.LoginTurns.Outcome;
import io.varve.grid.guard.login.SaslNames;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Proxy;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.infinispan.rest.NettyRestResponse;
import org.infinispan.rest.RestResponseException;
import org.infinispan.rest.RestServer;
import org.infinispan.rest.framework.RestRequest;
import org.infinispan.rest.framework.RestResponse;
import org.infinispan.security.Security;
import org.infinispan.server.security.ElytronHTTPAuthenticator;
import org.infinispan.util.concurrent.BlockingManager;
import org.jspecify.annotations.Nullable;

/// The logins of HTTP, which pass the [LoginGate]. Infinispan has one object that looks at the
/// credentials of all requests, and hands what takes time to a [BlockingManager]. Here that is one
/// which knows the request of its thread.
///
/// (HTTPLOGIN-1) Credentials of a scheme that is not offered, as `Basic` in clear text, are refused
/// without a turn and are no failure: nothing in them is looked at, and a client that sends a right
/// password so would keep out others of its address.
final class HttpLogins {
  /// Infinispan publishes no way to set it. A version without it does not start.
  private static final VarHandle BLOCKING =
      PrivateField.of(ElytronHTTPAuthenticator.class, "blockingManager", BlockingManager.class);

  /// The mechanism of each scheme that is offered.
  private static final VarHandle SCHEMES =
      PrivateField.of(ElytronHTTPAuthenticator.class, "challengePrefixMechanisms", Map.class);

  private static final String STALE = "stale=true"; // A digest of a challenge that is too old.

  private static final FastThreadLocal<@Nullable Login> ASKED = new FastThreadLocal<>();

  /// A request with credentials, whose user Infinispan sets.
  private static final class Login {
    final Channel channel;
    final String credentials;
    @Nullable RestRequest request;

    Login(Channel channel, String credentials) {
      this.channel = channel;
      this.credentials = credentials;
    }

    @Nullable String user() {
      return request == null ? null : Security.getSubjectUserPrincipalName(request.getSubject());
    }
  }

  private HttpLogins() {}

  /// Has a server that has started look at credentials so. Does nothing the second time.
  static void install(RestServer server) {
    if (server.getConfiguration().authentication().authenticator()
        instanceof ElytronHTTPAuthenticator authenticator) {
      var infinispan = (BlockingManager) BLOCKING.getVolatile(authenticator);
      if (!Proxy.isProxyClass(infinispan.getClass())) {
        BLOCKING.setVolatile(authenticator, ofLogins(infinispan, schemes(authenticator)));
        SentMethods.install(authenticator);
      }
    }
  }

  /// States as which request Infinispan reads that of this thread. It does so before it looks at
  /// the credentials.
  static void isRead(RestRequest request) {
    Login login = ASKED.get();
    if (login != null) {
      login.request = request;
    }
  }

  private static Set<String> schemes(ElytronHTTPAuthenticator authenticator) {
    return ((Map<?, ?>) SCHEMES.get(authenticator))
        .keySet().stream().map(String::valueOf).collect(Collectors.toUnmodifiableSet());
  }

  private static BlockingManager ofLogins(BlockingManager infinispan, Set<String> schemes) {
    return (BlockingManager)
        Proxy.newProxyInstance(
            HttpLogins.class.getClassLoader(),
            new Class<?>[] {BlockingManager.class},
            (_, method, arguments) -> {
              Login login = ASKED.get();
              if (login == null
                  || !method.getName().equals("supplyBlocking")
                  || !schemes.contains(scheme(login.credentials))) { // HTTPLOGIN-1
                return ProxiedCall.pass(infinispan, method, arguments);
              }
              return takeTurn(
                  login, () -> answer(infinispan, (Supplier<?>) arguments[0], arguments[1]));
            });
  }

  @SuppressWarnings("unchecked") // Credentials are looked at for a response.
  private static CompletionStage<RestResponse> answer(
      BlockingManager infinispan, Supplier<?> task, Object name) {
    return infinispan.supplyBlocking((Supplier<RestResponse>) task, name);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What it fails by fails the answer.
  private static CompletionStage<RestResponse> takeTurn(
      Login login, Supplier<CompletionStage<RestResponse>> infinispan) {
    // Infinispan casts what fails the stage, so it is not to be wrapped.
    var answer = new CompletableFuture<RestResponse>();
    LoginGate.of(login.channel)
        .login(
            login.channel,
            LoginProtocol.HTTP,
            name(login.credentials),
            infinispan,
            HttpLogins::outcome,
            _ -> login.user())
        .whenComplete((response, failure) -> {
          if (failure == null) {
            answer.complete(response);
          } else {
            answer.completeExceptionally(
                failure instanceof LoginTurns.TooMany
                    ? new RestResponseException(
                        HttpResponseStatus.TOO_MANY_REQUESTS, failure.getMessage())
                    : failure);
          }
        });
    return answer;
  }

  private static Outcome outcome(RestResponse response) {
    if (response.getStatus() < HttpResponseStatus.BAD_REQUEST.code()) {
      return Outcome.RIGHT;
    }
    Object challenge =
        response instanceof NettyRestResponse answer
            ? answer.getResponse().headers().get(HttpHeaderNames.WWW_AUTHENTICATE)
            : null;
    return String.valueOf(challenge).contains(STALE) ? Outcome.OPEN : Outcome.WRONG;
  }

  private static String scheme(String credentials) {
    return credentials.substring(0, Math.max(0, credentials.indexOf(' '))).toUpperCase(Locale.ROOT);
  }

  /// The name of a user in credentials, null if it is not there.
  static @Nullable String name(String credentials) {
    int space = credentials.indexOf(' ');
    String words = credentials.substring(space + 1).strip();
    if (!credentials.regionMatches(/* ignoreCase= */ true, 0, "Basic ", 0, space + 1)) {
      return SaslNames.ofDigest(words);
    }
    try {
      return new String(Base64.getDecoder().decode(words), UTF_8).split(":", 2)[0];
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  /// States which request a thread carries out. It comes before the handler that does so, and is
  /// run by the same thread.
  static final class Requests extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      String credentials =
          message instanceof HttpRequest request
              ? request.headers().get(HttpHeaderNames.AUTHORIZATION)
              : null;
      if (credentials == null) {
        ctx.fireChannelRead(message);
        return;
      }
      ASKED.set(new Login(ctx.channel(), credentials));
      try {
        ctx.fireChannelRead(message);
      } finally {
        ASKED.remove();
      }
    }
  }
}
