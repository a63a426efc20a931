package io.varve.bench.engine;

import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A store without group commit, with one application thread that merges the commits that wait into
/// one: what a careful application does.
final class GroupCommitEngine implements Engine {
  /// Bounds the size of one merged commit, and so the wait of the first in it.
  private static final int MERGED_CHANGES_MAX = 20_000;

  private final Engine engine;
  // Newest first. Pushed by committers, taken whole by the writer.
  private final AtomicReference<@Nullable Request> waiting = new AtomicReference<>();
  private final Thread writer;
  private volatile boolean closing;

  private GroupCommitEngine(Engine engine) {
    this.engine = engine;
    writer = Thread.ofPlatform().daemon().name("group-commit").start(this::write);
  }

  @Override
  public EngineSession session() {
    return new Session(engine.session());
  }

  @Override
  public void settle() {
    engine.settle();
  }

  @Override
  public OptionalLong forces() {
    return engine.forces();
  }

  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(writer);
    try {
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    engine.close();
  }

  private void write() {
    try (EngineSession session = engine.session()) {
      Batch merged = new Batch();
      while (true) {
        @Nullable Request newest = waiting.getAndSet(null);
        if (newest != null) {
          commitAll(oldestFirst(newest), merged, session);
        } else if (closing) {
          return;
        } else {
          LockSupport.park(this);
        }
      }
    }
  }

  private static Request oldestFirst(Request newest) {
    Request oldest = newest;
    @Nullable Request rest = newest.next;
    newest.next = null;
    while (rest != null) {
      Request request = rest;
      rest = request.next;
      request.next = oldest;
      oldest = request;
    }
    return oldest;
  }

  private static void commitAll(Request oldest, Batch merged, EngineSession session) {
    @Nullable Request first = oldest;
    while (first != null) {
      @Nullable Request next = first;
      while (next != null && merged.size() < MERGED_CHANGES_MAX) {
        merged.addAll(next.batch);
        next = next.next;
      }
      @Nullable Throwable failure = commit(merged, session);
      merged.clear();
      while (first != next && first != null) {
        // Once finished, a request belongs to its committer again.
        @Nullable Request following = first.next;
        first.finish(failure);
        first = following;
      }
    }
  }

  private static @Nullable Throwable commit(Batch merged, EngineSession session) {
    try {
      session.commit(merged);
      return null;
    } catch (RuntimeException | Error e) {
      return e;
    }
  }

  /// A committer and what it waits for.
  private static final class Request {
    private final Batch batch;
    private final Thread committer = Thread.currentThread();
    private volatile boolean finished;
    private @Nullable Throwable failure; // written before finished, read after it
    private @Nullable Request next; // the committer's until pushed, then the writer's

    Request(Batch batch) {
      this.batch = batch;
    }

    void finish(@Nullable Throwable cause) {
      failure = cause;
      finished = true;
      LockSupport.unpark(committer);
    }

    void await() {
      while (!finished) {
        LockSupport.park(this);
      }
      if (failure != null) {
        throw new EngineException(failure);
      }
    }
  }

  private final class Session implements EngineSession {
    private final EngineSession reads;
    private final Batch single = new Batch();

    Session(EngineSession reads) {
      this.reads = reads;
    }

    @Override
    public boolean get(byte[] key, ValueSink sink) {
      return reads.get(key, sink);
    }

    @Override
    public void put(byte[] key, byte[] value) {
      single.clear();
      single.put(key, value);
      commit(single);
    }

    @Override
    public void delete(byte[] key) {
      single.clear();
      single.delete(key);
      commit(single);
    }

    @Override
    public void commit(Batch batch) {
      Request request = new Request(batch);
      @Nullable Request newest;
      do {
        newest = waiting.get();
        request.next = newest;
      } while (!waiting.compareAndSet(newest, request));
      if (newest == null) {
        LockSupport.unpark(writer);
      }
      request.await();
    }

    @Override
    public void scan(byte[] from, EntrySink sink) {
      reads.scan(from, sink);
    }

    @Override
    public void forward(EntrySink sink) {
      reads.forward(sink);
    }

    @Override
    public void backward(EntrySink sink) {
      reads.backward(sink);
    }

    @Override
    public void close() {
      reads.close();
    }
  }

  /// @param type the store that the application thread writes to
  record Type(EngineType type) implements EngineType {
    @Override
    public String label() {
      return type.label() + "-group";
    }

    @Override
    public String version() {
      return type.version();
    }

    @Override
    public String describe(Promise promise) {
      return "one application thread merges waiting commits; " + type.describe(promise);
    }

    @Override
    public Set<Feature> features() {
      EnumSet<Feature> features = EnumSet.copyOf(type.features());
      features.add(Feature.PARKS_COMMITTERS);
      return features;
    }

    @Override
    public Engine open(EngineSettings settings) {
      return new GroupCommitEngine(type.open(settings));
    }
  }
}
