package io.varve.grid.guard;

import io.netty.channel.Channel;
import java.util.Map;
import java.util.concurrent.Executor;
import org.infinispan.server.hotrod.Authentication;
import org.infinispan.server.hotrod.HotRodHeader;
import org.infinispan.server.hotrod.HotRodOperation;
import org.infinispan.server.hotrod.HotRodServer;
import org.infinispan.server.hotrod.OperationStatus;

/// The logins of a connection of Hot Rod.
///
/// (HOTROD-4) A login that Infinispan fails at is answered as one with a wrong password, and leaves
/// nothing in the log. So is one by a mechanism that the node does not offer. Infinispan gave no
/// answer to a `PLAIN` without a name, and each of both wrote a stack trace.
final class HotRodLogin extends Authentication {
  private final Executor threads;

  /// @param threads that look for the user
  HotRodLogin(Channel channel, Executor threads, HotRodServer server) {
    super(channel, Runnable::run, server);
    this.threads = threads;
  }

  @Override
  public void auth(HotRodHeader header, String mechanism, byte[] response) {
    var authentication = server.getConfiguration().authentication();
    if (authentication.enabled() && !authentication.sasl().mechanisms().contains(mechanism)) {
      refuse(header);
      return;
    }
    threads.execute(() -> {
      try {
        super.auth(header, mechanism, response);
      } catch (RuntimeException _) {
        refuse(header); // HOTROD-4
      }
    });
  }

  @SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
  private void refuse(HotRodHeader login) {
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
    channel.writeAndFlush(
        failed
            .encoder()
            .errorResponse(failed, server, channel, Logins.REFUSED, OperationStatus.ServerError));
  }
}
