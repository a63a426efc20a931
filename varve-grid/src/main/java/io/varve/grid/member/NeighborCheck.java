package io.varve.grid.member;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FD_SOCK2;
import org.jspecify.annotations.Nullable;

/// Holds a connection to the next node, whose end shows that the process of that node has ended, as
/// `FD_SOCK2` of JGroups 5.5.6 does; but connects on a thread of its own.
///
/// That connects on the thread that installs a view, and waits up to a second for an answer; in a
/// recording of stops and starts it mostly waited all of it. Caches see the view after that, so
/// calls that needed their next topology waited as well, after each stop and start of a node.
///
/// - NEIGHBOR-1 Requests are handled one after the other, in the order in which they came.
public final class NeighborCheck extends FD_SOCK2 {
  private volatile @Nullable ThreadPoolExecutor thread;

  /// For JGroups, which makes it.
  public NeighborCheck() {
    // What it sends to others is what nodes with FD_SOCK2 understand.
    id = ClassConfigurator.getProtocolId(FD_SOCK2.class);
  }

  @Override
  public void start() throws Exception {
    // Ends when nothing was asked for a while. Requests are as few as views and failures.
    var started =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("varve-neighbor-check").factory());
    started.allowCoreThreadTimeOut(true);
    thread = started;
    super.start();
  }

  @Override
  public void stop() {
    ThreadPoolExecutor started = thread;
    if (started != null) {
      started.shutdownNow();
    }
    super.stop();
  }

  @Override
  public void handle(Request request) {
    ThreadPoolExecutor started = thread;
    try {
      if (started != null) {
        started.execute(() -> connect(request));
      }
    } catch (RejectedExecutionException e) {
      // The node stops, and needs no neighbor.
    }
  }

  private void connect(Request request) {
    try {
      super.handle(request);
    } catch (Exception e) {
      log.warn("%s: cannot connect to the next node: %s", local_addr, e);
    }
  }
}
