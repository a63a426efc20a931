package io.varve.grid.guard.hotrod;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.varve.grid.guard.connection.Connection;
import io.varve.grid.guard.login.LoginGate;
import io.varve.grid.guard.login.LoginProtocol;
import io.varve.grid.guard.login.LoginTurns.Outcome;
import io.varve.grid.guard.login.Logins;
import io.varve.grid.guard.login.SaslNames;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.security.auth.Subject;
import javax.security.sasl.SaslException;
import javax.security.sasl.SaslServer;
import org.infinispan.security.Security;
import org.infinispan.server.core.configuration.SaslConfiguration;
import org.infinispan.server.core.security.sasl.SaslAuthenticator;
import org.infinispan.server.core.security.sasl.SubjectSaslServer;
import org.infinispan.server.core.transport.ConnectionMetadata;
import org.infinispan.server.hotrod.Authentication;
import org.infinispan.server.hotrod.HotRodHeader;
import org.infinispan.server.hotrod.HotRodOperation;
import org.infinispan.server.hotrod.HotRodServer;
import org.infinispan.server.hotrod.OperationStatus;
import org.jspecify.annotations.Nullable;

/// The logins of a connection of Hot Rod, and what nobody may ask for.
///
/// - HOTROD-4 A login that fails is answered by one text, whatever it fails by: a mechanism that
///   the node does not offer, words that cannot be read, a wrong password. Infinispan answers each
///   by a text of its own, or not at all, and writes a stack trace.
/// - HOTROD-5 The steps of logins are carried out one after the other, each is answered, and at
///   most [#STEPS_WAITING_MAX] wait, whose bytes are held ([Connection]). A client waits for the
///   answer to a step, so one that sends more of them loses its connection.
/// - HOTROD-6 Nobody begins a stream of parts of a value: one that asks for it has an answer, and
///   loses its connection. Infinispan holds what has come of each stream in memory, without a
///   bound, until its client ends it, and asks for no right before.
final class HotRodLogin extends Authentication {
  /// What Infinispan carries out for clients without a login, and without a user for all.
  private static final Set<HotRodOperation> FOR_ALL =
      EnumSet.of(HotRodOperation.PING, HotRodOperation.AUTH, HotRodOperation.AUTH_MECH_LIST);

  /// HOTROD-6
  private static final Set<HotRodOperation> STREAMS =
      EnumSet.of(HotRodOperation.START_PUT_STREAM, HotRodOperation.START_GET_STREAM_REQUEST);

  private static final int STEPS_WAITING_MAX = 16;

  private final Executor threads;
  private final Connection connection;

  /// The steps so far. Used by the event loop of the connection alone, as is their number.
  private CompletableFuture<Void> steps = CompletableFuture.completedFuture(null);

  private int stepsWaiting;

  /// Of the login that has begun, as its client has said it. Used as the steps are.
  private @Nullable String name;

  /// Of a login that has begun. Used by one step at a time.
  private @Nullable SaslServer login;

  /// Who has logged in.
  private volatile @Nullable Subject user;

  /// @param threads that look for the user
  HotRodLogin(Channel channel, Executor threads, HotRodServer server) {
    super(channel, Runnable::run, server);
    this.threads = threads;
    this.connection = Connection.of(channel);
  }

  @Override
  public void auth(HotRodHeader header, String mechanism, byte[] response) {
    if (!server.getConfiguration().authentication().enabled()) {
      super.auth(header, mechanism, response);
    } else if (stepsWaiting == STEPS_WAITING_MAX) {
      connection.refuse("a client does not wait for the answers to its logins");
    } else if (connection.keep(response.length)) {
      stepsWaiting++;
      steps =
          steps
              .thenCompose(_ -> takeTurn(header, mechanism, response))
              .handleAsync(
                  (_, failure) -> ended(header, response.length, failure), channel.eventLoop());
    }
  }

  private CompletionStage<Outcome> takeTurn(
      HotRodHeader header, String mechanism, byte[] response) {
    Supplier<CompletionStage<Outcome>> step =
        () -> CompletableFuture.supplyAsync(() -> step(header, mechanism, response), threads);
    if (SaslNames.isAsked(mechanism, response)) {
      return step.get();
    }
    String said = SaslNames.of(mechanism, response);
    if (said != null) {
      name = said;
    }
    return LoginGate.of(channel)
        .login(
            channel,
            LoginProtocol.HOT_ROD,
            name,
            step,
            Function.identity(),
            _ -> Security.getSubjectUserPrincipalName(user));
  }

  /// A step may have failed by an error, or was refused before it began.
  private @Nullable Void ended(HotRodHeader header, int bytes, @Nullable Throwable failure) {
    stepsWaiting--;
    connection.free(bytes);
    if (failure != null && channel.isOpen()) {
      end();
      refuse(header, Logins.refusal(failure));
    }
    return null;
  }

  private Outcome step(HotRodHeader header, String mechanism, byte[] response) {
    if (!channel.isOpen()) {
      end();
      return Outcome.OPEN; // Nobody waits for the answer.
    }
    try {
      SaslServer known = login == null ? begin(mechanism) : login;
      login = known;
      byte[] challenge = known.evaluateResponse(response);
      if (known.isComplete()) {
        complete(known, header, challenge);
        return Outcome.RIGHT;
      }
      write(header.encoder().authResponse(header, server, channel, challenge));
      return Outcome.OPEN;
    } catch (SaslException | RuntimeException _) {
      end();
      refuse(header, Logins.REFUSED); // HOTROD-4
      return Outcome.WRONG;
    }
  }

  private SaslServer begin(String mechanism) throws SaslException {
    SaslConfiguration sasl = server.getConfiguration().authentication().sasl();
    SaslServer begun = sasl.mechanisms().contains(mechanism) ? createServer(sasl, mechanism) : null;
    if (begun == null) {
      throw new SaslException("no such mechanism");
    }
    return begun;
  }

  private @Nullable SaslServer createServer(SaslConfiguration sasl, String mechanism)
      throws SaslException {
    try {
      return SaslAuthenticator.createSaslServer(sasl, channel, mechanism, HOTROD_SASL_PROTOCOL);
    } catch (SaslException | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new SaslException("no login can begin", e);
    }
  }

  /// The user is known before the client learns that: it may send its next request immediately.
  private void complete(SaslServer known, HotRodHeader header, byte[] challenge) {
    Subject subject = (Subject) known.getNegotiatedProperty(SubjectSaslServer.SUBJECT);
    user = subject;
    ConnectionMetadata.getInstance(channel).subject(subject);
    end();
    write(header.encoder().authResponse(header, server, channel, challenge));
  }

  private void end() {
    try {
      if (login != null) {
        login.dispose();
      }
    } catch (SaslException _) {
      // It has nothing that would stay.
    } finally {
      login = null;
    }
  }

  @Override
  public @Nullable Subject getSubjectWithoutValidation() {
    return user == null ? super.getSubjectWithoutValidation() : user;
  }

  /// Asked for each request, before it is carried out.
  @Override
  public @Nullable Subject getSubject(HotRodOperation operation) {
    Subject asking =
        user == null || FOR_ALL.contains(operation) ? super.getSubject(operation) : user;
    if (STREAMS.contains(operation)) {
      throw new CompletionException(
          new BadRequest(
              "streams of Hot Rod are not taken; put and get the value whole, or send it by REST"));
    }
    return asking;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
  private void write(ByteBuf answer) {
    channel.writeAndFlush(answer);
  }

  private void refuse(HotRodHeader login, String text) {
    var failed =
        new HotRodHeader(
            HotRodOperation.ERROR,
            login.getVersion(),
            login.getMessageId(),
            login.getCacheName(),
            login.getFlag(),
            login.getClientIntel(),
            login.getTopologyId(),
            login.getKeyMediaType(),
            login.getValueMediaType(),
            Map.of());
    write(
        failed.encoder().errorResponse(failed, server, channel, text, OperationStatus.ServerError));
  }
}
