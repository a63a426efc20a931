package io.varve.internal.txn;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The threads that run bodies of transactions now, and what each commits on its own while they
/// run.
final class RunningBodies {
  /// The innermost body of each thread.
  private final Map<Thread, OwnCommits> byThread = new ConcurrentHashMap<>();

  /// Notes that the calling thread runs the body of a transaction from now on.
  OwnCommits enter(ReadPoint readPoint) {
    Thread self = Thread.currentThread();
    OwnCommits entered = new OwnCommits(readPoint, byThread.get(self));
    byThread.put(self, entered);
    return entered;
  }

  /// Notes that the innermost body of the calling thread has ended.
  void leave(OwnCommits innermost) {
    OwnCommits around = innermost.around();
    if (around == null) {
      byThread.remove(Thread.currentThread());
    } else {
      byThread.put(Thread.currentThread(), around);
    }
  }

  /// Whether the calling thread runs a body.
  boolean isEntered() {
    return ofCaller() != null;
  }

  /// Notes a commit of one key by the calling thread.
  void committed(SpaceCore space, byte[] key) {
    for (OwnCommits own = ofCaller(); own != null; own = own.around()) {
      own.add(space, key);
    }
  }

  /// Notes a commit of a transaction by the calling thread.
  void committed(List<SpaceWrites> writes) {
    for (OwnCommits own = ofCaller(); own != null; own = own.around()) {
      for (SpaceWrites space : writes) {
        for (int i = 0; i < space.size(); i++) {
          own.add(space.space(), space.key(i));
        }
      }
    }
  }

  /// Cheap where no body runs, which is what most commits find.
  private @Nullable OwnCommits ofCaller() {
    return byThread.isEmpty() ? null : byThread.get(Thread.currentThread());
  }
}
