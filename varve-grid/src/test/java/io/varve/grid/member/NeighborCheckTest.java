package io.varve.grid.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.View;
import org.jgroups.protocols.TCP;
import org.jgroups.stack.IpAddress;
import org.jgroups.stack.Protocol;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/// Views pass a node whose next node does not answer, or a cluster would stop for as long.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class NeighborCheckTest {
  private final Address neighbor = UUID.randomUUID();
  private final Address another = UUID.randomUUID();
  private final Addresses addresses = new Addresses();
  private final NeighborCheck check = new NeighborCheck();
  private JChannel channel;

  @BeforeEach
  void connect() throws Exception {
    TCP transport = new TCP();
    transport.setBindAddress(InetAddress.getLoopbackAddress());
    transport.setBindPort(0);
    check.setBindAddress(InetAddress.getLoopbackAddress());
    check.setPortRange(0);
    channel = new JChannel(transport, addresses, check);
    channel.connect("test");
  }

  @AfterEach
  void close() {
    addresses.answers.release(1_000);
    channel.close();
  }

  /// With the connection made on the thread of the view, this would never come back.
  @Test
  void aViewWaitsForNoConnection() throws Exception {
    install(1, neighbor);
    assertThat(addresses.asked.take()).isEqualTo(neighbor);
    install(2, another);
    assertThat(addresses.asked).isEmpty();
  }

  /// NEIGHBOR-1
  @Test
  void connectionsAreMadeOneAfterTheOther() throws Exception {
    install(1, neighbor);
    assertThat(addresses.asked.take()).isEqualTo(neighbor);
    install(2, another);
    addresses.answers.release(1);
    assertThat(addresses.asked.take()).isEqualTo(another);
    assertThat(addresses.mostAtATime).hasValue(1);
  }

  /// What comes when the node has stopped is of no use, and no failure.
  @Test
  void aNodeThatHasStoppedNeedsNoNeighbor() {
    channel.close();
    install(1, neighbor);
    assertThat(addresses.asked).isEmpty();
  }

  private void install(long number, Address next) {
    Address self = channel.address() == null ? UUID.randomUUID() : channel.address();
    check.down(new Event(Event.VIEW_CHANGE, new View(self, number, List.of(self, next))));
  }

  /// Knows where each node is, and takes its time to answer.
  private static final class Addresses extends Protocol {
    private final BlockingQueue<Address> asked = new LinkedBlockingQueue<>();
    private final Semaphore answers = new Semaphore(0);
    private final AtomicInteger atATime = new AtomicInteger();
    private final AtomicInteger mostAtATime = new AtomicInteger();

    @Override
    public Object down(Event event) {
      if (event.type() != Event.GET_PHYSICAL_ADDRESS || event.arg().equals(local_addr)) {
        return down_prot.down(event);
      }
      mostAtATime.accumulateAndGet(atATime.incrementAndGet(), Math::max);
      asked.add(event.arg());
      answers.acquireUninterruptibly();
      atATime.decrementAndGet();
      // No process listens there.
      return new IpAddress(InetAddress.getLoopbackAddress(), 1);
    }
  }
}
