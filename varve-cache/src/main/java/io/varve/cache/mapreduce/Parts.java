package io.varve.cache.mapreduce;

import java.util.List;

/// One job in all of its processes, as seen by the one that leads it. Only the leader of the job
/// uses [#map] and what it gives, and it is interrupted when the job is cancelled; the figures by
/// any thread.
///
/// @since 1.0
public interface Parts extends AutoCloseable {
  /// Has all elements mapped, each once, and waits for the end of that.
  ///
  /// @return what they have emitted
  /// @throws InterruptedException if the leader was interrupted
  List<Pages> map() throws InterruptedException;

  /// Of all parts together, as last heard. It does not wait.
  MapFigures figures();

  /// Ends all parts, and waits until nothing of them runs and no file is left, whether or not the
  /// thread is interrupted.
  @Override
  void close();
}
