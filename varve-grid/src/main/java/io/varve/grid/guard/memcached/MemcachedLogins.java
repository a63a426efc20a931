package io.varve.grid.guard.memcached;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.util.concurrent.FastThreadLocal;
import io.varve.grid.guard.connection.PrivateField;
import io.varve.grid.guard.login.LoginGate;
import io.varve.grid.guard.login.LoginProtocol;
import io.varve.grid.guard.login.LoginTurns.Outcome;
import io.varve.grid.guard.login.Logins;
import io.varve.grid.guard.login.SaslNames;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.security.auth.Subject;
import org.infinispan.commons.configuration.attributes.Attribute;
import org.infinispan.security.Security;
import org.infinispan.server.core.ProtocolServer;
import org.infinispan.server.core.security.UsernamePasswordAuthenticator;
import org.infinispan.server.memcached.ByteBufPool;
import org.infinispan.server.memcached.MemcachedBaseDecoder;
import org.infinispan.server.memcached.MemcachedResponse;
import org.infinispan.server.memcached.MemcachedServer;
import org.infinispan.server.memcached.binary.BinaryAuthDecoderImpl;
import org.infinispan.server.memcached.binary.BinaryHeader;
import org.infinispan.server.memcached.configuration.MemcachedAuthenticationConfiguration;
import org.infinispan.server.memcached.logging.Header;
import org.infinispan.server.memcached.text.TextAuthDecoderImpl;
import org.infinispan.server.memcached.text.TextResponse;
import org.jspecify.annotations.Nullable;

/// The logins of memcached, which pass the [LoginGate]. Infinispan has one object that compares
/// passwords of the text protocol for all connections, and it does not know which one asks: the
/// thread that decodes a request knows that.
public final class MemcachedLogins {
  /// By which Infinispan finds what compares passwords. It publishes no other way to it.
  private static final String AUTHENTICATOR = "authenticator";

  /// Infinispan publishes no way to read it. A version without it does not start.
  private static final VarHandle SUBJECT =
      PrivateField.of(MemcachedBaseDecoder.class, "subject", Subject.class);

  private static final FastThreadLocal<@Nullable Channel> DECODED = new FastThreadLocal<>();

  private MemcachedLogins() {}

  /// Has a server whose protocol this is compare passwords so. Does nothing the second time.
  public static void install(ProtocolServer<?> server) {
    if (server.getConfiguration().authentication()
        instanceof MemcachedAuthenticationConfiguration memcached) {
      Attribute<UsernamePasswordAuthenticator> attribute =
          memcached.text().attributes().attribute(AUTHENTICATOR);
      UsernamePasswordAuthenticator infinispan = attribute.get();
      if (infinispan != null && !(infinispan instanceof Passwords)) {
        attribute.set(new Passwords(infinispan));
      }
    }
  }

  /// Replaces the decoder of a connection that has to log in.
  static void guard(ChannelPipeline pipeline, MemcachedServer server) {
    if (pipeline.get(TextAuthDecoderImpl.class) != null) {
      pipeline.replace(TextAuthDecoderImpl.class, "decoder", new Text(server));
    } else if (pipeline.get(BinaryAuthDecoderImpl.class) != null) {
      pipeline.replace(BinaryAuthDecoderImpl.class, "decoder", new Binary(server));
    }
  }

  private record Passwords(UsernamePasswordAuthenticator infinispan)
      implements UsernamePasswordAuthenticator {
    @Override
    public CompletionStage<Subject> authenticate(String name, char[] password) {
      Channel channel = DECODED.get();
      if (channel == null) {
        throw new IllegalStateException("a login of no connection");
      }
      return LoginGate.of(channel)
          .login(
              channel,
              LoginProtocol.MEMCACHED,
              name,
              () -> infinispan.authenticate(name, password),
              _ -> Outcome.RIGHT,
              Security::getSubjectUserPrincipalName);
    }
  }

  private static final class Text extends TextAuthDecoderImpl {
    Text(MemcachedServer server) {
      super(server);
    }

    @Override
    public void decode(ChannelHandlerContext ctx, ByteBuf bytes, List<Object> out)
        throws Exception {
      DECODED.set(ctx.channel());
      try {
        super.decode(ctx, bytes, out);
      } finally {
        DECODED.remove();
      }
    }

    @Override
    protected MemcachedResponse send(Header header, CompletionStage<?> response) {
      return new TextAnswer(response, header);
    }
  }

  /// The answer to a login. (MEMCACHED-4) Infinispan ends a refusal without the end of its line.
  private static final class TextAnswer extends TextResponse {
    TextAnswer(CompletionStage<?> response, Header header) {
      super(response, header, null);
    }

    @Override
    public void writeFailure(Throwable failure, ByteBufPool pool) {
      String refusal = "CLIENT_ERROR authentication failed: " + Logins.refusal(failure) + "\r\n";
      useErrorMessage(refusal);
      responseBytes = refusal.length();
      ByteBufUtil.writeAscii(pool.acquire(responseBytes), refusal);
    }
  }

  private static final class Binary extends BinaryAuthDecoderImpl {
    private @Nullable String name; // that the client has said

    Binary(MemcachedServer server) {
      super(server);
    }

    @Override
    protected MemcachedResponse saslAuth(BinaryHeader header, byte[] mechanism, byte[] response) {
      return step(header, mechanism, response, () -> super.saslAuth(header, mechanism, response));
    }

    @Override
    protected MemcachedResponse saslStep(BinaryHeader header, byte[] mechanism, byte[] response) {
      return step(header, mechanism, response, () -> super.saslStep(header, mechanism, response));
    }

    private MemcachedResponse step(
        BinaryHeader header,
        byte[] mechanism,
        byte[] response,
        Supplier<MemcachedResponse> infinispan) {
      String ofMechanism = new String(mechanism, StandardCharsets.US_ASCII);
      if (SaslNames.isAsked(ofMechanism, response)) {
        return infinispan.get();
      }
      String said = SaslNames.of(ofMechanism, response);
      if (said != null) {
        name = said;
      }
      CompletionStage<?> answer =
          LoginGate.of(ctx.channel())
              .login(
                  ctx.channel(),
                  LoginProtocol.MEMCACHED,
                  name,
                  () -> answer(infinispan.get()),
                  _ -> ctx.isRemoved() ? Outcome.RIGHT : Outcome.OPEN,
                  _ -> user());
      return send(header, answer);
    }

    /// Who has logged in: it is the user of the decoder that has come in the place of this one.
    private @Nullable String user() {
      var decoder = ctx.pipeline().get(MemcachedBaseDecoder.class);
      return decoder == null
          ? null
          : Security.getSubjectUserPrincipalName((Subject) SUBJECT.get(decoder));
    }

    /// Infinispan declares less of what it returns.
    @SuppressWarnings("unchecked")
    private static CompletionStage<@Nullable Object> answer(MemcachedResponse response) {
      return (CompletionStage<@Nullable Object>) response.getResponse();
    }
  }
}
