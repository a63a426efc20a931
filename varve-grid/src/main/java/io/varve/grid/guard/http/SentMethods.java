package io.varve.grid.guard.http;

import io.varve.grid.guard.connection.PrivateField;
import io.varve.grid.guard.connection.ProxiedCall;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Proxy;
import java.util.Map;
import javax.security.auth.callback.CallbackHandler;
import org.infinispan.server.security.ElytronHTTPAuthenticator;
import org.jspecify.annotations.Nullable;
import org.wildfly.security.auth.server.http.HttpAuthenticationFactory;
import org.wildfly.security.http.HttpAuthenticationException;
import org.wildfly.security.http.HttpServerAuthenticationMechanism;
import org.wildfly.security.http.HttpServerAuthenticationMechanismFactory;
import org.wildfly.security.http.HttpServerRequest;

/// Has logins of HTTP know the method that a client has sent, where it is passed on as another
/// (ITEMMESSAGE-1): a digest is of the method too, and of no other.
final class SentMethods implements HttpServerAuthenticationMechanismFactory {
  /// Infinispan publishes no way to set it. A version without it does not start.
  private static final VarHandle FACTORY =
      PrivateField.of(ElytronHTTPAuthenticator.class, "factory", HttpAuthenticationFactory.class);

  private final HttpServerAuthenticationMechanismFactory elytron;

  private SentMethods(HttpServerAuthenticationMechanismFactory elytron) {
    this.elytron = elytron;
  }

  /// Has an authenticator look at requests so. Does nothing the second time.
  static void install(ElytronHTTPAuthenticator authenticator) {
    var factory = (HttpAuthenticationFactory) FACTORY.getVolatile(authenticator);
    if (!(factory.getFactory() instanceof SentMethods)) {
      FACTORY.setVolatile(
          authenticator,
          HttpAuthenticationFactory.builder()
              .setSecurityDomain(factory.getSecurityDomain())
              .setMechanismConfigurationSelector(factory.getMechanismConfigurationSelector())
              .setFactory(new SentMethods(factory.getFactory()))
              .build());
    }
  }

  @Override
  public String[] getMechanismNames(Map<String, ?> properties) {
    return elytron.getMechanismNames(properties);
  }

  @Override
  public @Nullable HttpServerAuthenticationMechanism createAuthenticationMechanism(
      String name, Map<String, ?> properties, CallbackHandler callbacks)
      throws HttpAuthenticationException {
    HttpServerAuthenticationMechanism mechanism =
        elytron.createAuthenticationMechanism(name, properties, callbacks);
    return mechanism == null ? null : new Mechanism(mechanism);
  }

  @Override
  public void shutdown() {
    elytron.shutdown();
  }

  /// A mechanism that is asked about what was sent.
  private record Mechanism(HttpServerAuthenticationMechanism elytron)
      implements HttpServerAuthenticationMechanism {
    @Override
    public String getMechanismName() {
      return elytron.getMechanismName();
    }

    @Override
    public void evaluateRequest(HttpServerRequest request) throws HttpAuthenticationException {
      String method = request.getFirstRequestHeaderValue(ItemMessages.SENT_METHOD);
      elytron.evaluateRequest(method == null ? request : sentBy(method, request));
    }

    @Override
    public @Nullable Object getNegotiatedProperty(String name) {
      return elytron.getNegotiatedProperty(name);
    }

    @Override
    public void dispose() {
      elytron.dispose();
    }
  }

  private static HttpServerRequest sentBy(String sent, HttpServerRequest request) {
    return (HttpServerRequest)
        Proxy.newProxyInstance(
            SentMethods.class.getClassLoader(),
            new Class<?>[] {HttpServerRequest.class},
            (_, method, arguments) ->
                method.getName().equals("getRequestMethod")
                    ? sent
                    : ProxiedCall.pass(request, method, arguments));
  }
}
