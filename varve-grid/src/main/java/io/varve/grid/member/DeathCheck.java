package io.varve.grid.member;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.stack.IpAddress;
import org.jspecify.annotations.Nullable;

/// Verifies whether a node that seems to have failed has: immediately where its process is dead,
/// and otherwise as `VERIFY_SUSPECT2` does, which asks it and waits.
///
/// The machine of a process that has died refuses connections to its port. One that hangs accepts
/// them, and one that was lost does neither: those are waited for. `VERIFY_SUSPECT2` of JGroups
/// 5.5.6 looks whether the time is over once in that time, so that it takes up to twice as long;
/// and it asks once, when the connection may be about to be made again: here a node is asked
/// several times while there is time.
public final class DeathCheck extends VERIFY_SUSPECT2 {
  private static final long LOOK_MILLIS = 100;

  /// Looks after which a node that has not answered is asked again.
  private static final int ASK_LOOKS = 5;

  private static final int CONNECT_MILLIS = 500;
  private static final short PROTOCOL = 7_802;

  static {
    ClassConfigurator.addProtocol(PROTOCOL, DeathCheck.class);
  }

  private @Nullable Future<?> looks;
  private int lookCount; // used by the timer alone

  /// For JGroups, which makes it.
  public DeathCheck() {
    id = PROTOCOL;
  }

  @Override
  public synchronized void start() {
    running = true;
    looks = timer.scheduleAtFixedRate(this, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public synchronized void stop() {
    if (looks != null) {
      looks.cancel(true);
    }
    super.stop();
  }

  @Override
  public void run() {
    super.run();
    if (++lookCount % ASK_LOOKS == 0) {
      List<Address> asked;
      synchronized (this) {
        asked = suspects.stream().map(Entry::suspect).toList();
      }
      super.verifySuspect(
          asked); // Their time continues: a node that is in the set is not put there again.
    }
  }

  @Override
  protected void verifySuspect(Collection<Address> members) {
    super.verifySuspect(members);
    for (Address member : members) {
      Thread.ofPlatform().daemon().name("varve-death-check").start(() -> check(member));
    }
  }

  private void check(Address member) {
    Object place = down_prot.down(new Event(Event.GET_PHYSICAL_ADDRESS, member));
    FD_SOCK2 sockets = stack.findProtocol(FD_SOCK2.class);
    if (sockets != null
        && place instanceof IpAddress address
        && isRefused(address, sockets.getOffset())
        && removeSuspect(member)) {
      log.info("%s: the process of %s has ended", local_addr, member);
      up_prot.up(new Event(Event.SUSPECT, List.of(member)));
    }
  }

  private static boolean isRefused(IpAddress address, int offset) {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(address.getIpAddress(), address.getPort() + offset),
          CONNECT_MILLIS);
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      return false; // It may be there, and not be reached.
    }
  }
}
