package io.varve.cache.internal.mapreduce;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Spliterator;
import org.jspecify.annotations.Nullable;

/// The elements of a job in pieces, that its threads take. A thread that has a piece gives half of
/// what is left of it away when another thread waits.
///
/// @param <E> the elements
public final class Pieces<E> {
  /// Pieces that are made at first for each thread, so that few need to be given away later.
  private static final int PER_THREAD = 8;

  private final Deque<Spliterator<E>> waiting = new ArrayDeque<>(); // guarded by this
  private final JobControl control;
  private int taken; // pieces that threads are at; guarded by this

  /// Threads that wait for a piece. Written under the lock; a reader that sees an old number gives
  /// a piece away to no thread, or one later.
  private volatile int takers;

  public Pieces(Spliterator<E> all, int threads, JobControl control) {
    this.control = control;
    List<Spliterator<E>> pieces = new ArrayList<>(List.of(all));
    boolean hasSplit = true;
    while (hasSplit && pieces.size() < threads * PER_THREAD) {
      hasSplit = false;
      for (Spliterator<E> piece : List.copyOf(pieces)) {
        Spliterator<E> half = piece.trySplit();
        if (half != null) {
          pieces.add(half);
          hasSplit = true;
        }
      }
    }
    waiting.addAll(pieces);
  }

  /// A piece, which is at an end by [#done]; null if there will be none any more, or the job has
  /// ended.
  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  public synchronized @Nullable Spliterator<E> take() {
    takers++;
    while (waiting.isEmpty() && taken > 0 && control.end() == null) {
      try {
        wait();
      } catch (InterruptedException e) {
        // The job has ended, which is looked at next; or a mapper left the flag set.
      }
    }
    takers--;
    Spliterator<E> piece = control.end() == null ? waiting.poll() : null;
    if (piece != null) {
      taken++;
    }
    return piece;
  }

  /// Whether a thread waits for a piece.
  public boolean areWanted() {
    return takers > 0;
  }

  public synchronized void give(Spliterator<E> piece) {
    waiting.add(piece);
    notify();
  }

  /// Notes that a piece that was taken has no more elements.
  public synchronized void done() {
    if (--taken == 0) {
      notifyAll();
    }
  }
}
