package io.varve.cache.internal.mapreduce;

import io.varve.cache.mapreduce.MapFigures;
import io.varve.cache.mapreduce.Part;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A part of a job: a thread that leads it until all is mapped and in order, and those that map.
/// Pages are made by the threads that ask for them, one at a time.
public final class RunningPart<E, K, V> implements Part {
  private final Plan<E, K, V, ?> plan;
  private final JobControl control;
  private final LocalMapping<E, K, V> mapping;
  private final Thread leader;

  /// Written by the leader before it ends, then used under the lock of this.
  private @Nullable PageWriter<K, V> pages;

  private boolean isClosed; // guarded by this

  public RunningPart(Plan<E, K, V, ?> plan, Stream<? extends E> elements) {
    this.plan = plan;
    this.control = new JobControl(1 + plan.threads());
    this.mapping = new LocalMapping<>(plan, elements, control);
    this.leader = JobControl.thread("varve-mapreduce-part", this::lead);
  }

  public void start() {
    control.start(leader);
  }

  private void lead() {
    try {
      mapping.map();
      pages = new PageWriter<>(mapping.sorted(), plan.keys(), plan.values());
    } catch (Throwable e) { // also errors: a caller that asks gets them
      control.fail(e);
    }
  }

  @Override
  public boolean awaitMapped(Duration atMost) throws InterruptedException {
    boolean isMapped = leader.join(atMost);
    control.throwEnd();
    return isMapped;
  }

  @Override
  public synchronized byte @Nullable [] next() {
    if (leader.isAlive()) {
      throw new IllegalStateException("not mapped yet");
    }
    control.throwEnd();
    PageWriter<K, V> made = pages;
    if (isClosed || made == null) {
      throw new IllegalStateException("the part has ended");
    }
    return made.next(control::requireRunning);
  }

  @Override
  public MapFigures figures() {
    return mapping.figures();
  }

  @Override
  public void close() {
    control.cancel(); // first, so that a page that is being made is abandoned
    JobControl.awaitEnd(leader);
    synchronized (this) {
      if (!isClosed) {
        isClosed = true;
        pages = null;
        mapping.close();
      }
    }
  }
}
