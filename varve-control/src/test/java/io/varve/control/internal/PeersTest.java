package io.varve.control.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Store;
import io.varve.control.ControlException.Reason;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The system reports which user has connected; a session asks before it reads.
final class PeersTest {
  @TempDir Path directory;

  @Test
  void otherUsersAreRefusedUnheard() throws Exception {
    var place = new SocketPlace(directory);
    SocketPlace.Listening listening = place.listen();
    UserPrincipal other = () -> "another";
    try (ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        Store store = Store.inMemory();
        SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(listening.socket()));
        SocketChannel accepted = listening.server().accept()) {
      assertThat(Peers.isOf(accepted, listening.owner())).isTrue();
      assertThat(Peers.isOf(accepted, other)).isFalse();
      client.write(ByteBuffer.wrap("nothing that a request is".getBytes(UTF_8)));
      try (var deadline = new Deadline(Bounds.DEFAULT, timer, accepted)) {
        new Session(store, accepted, deadline, new Semaphore(1)).run(other);
      }
      var answer = new FrameInput(Channels.newInputStream(client)).next();
      assertThat(answer.kind()).isEqualTo(FrameKind.ERROR);
      assertThat(ControlJson.read(answer.payload(), Failure.class).reason())
          .isEqualTo(Reason.REFUSED);
      assertThat(new String(answer.payload(), UTF_8)).contains("another");
    } finally {
      listening.server().close();
      place.removeAll();
    }
  }
}
