package io.varve.test;

import java.util.Arrays;
import java.util.SplittableRandom;

/// At which accesses of the engine a thread stops. Some of them all the time, at a rate that the
/// seed picks; those of code that runs rarely more often, since the share falls with the visits of
/// a site; and those of a thread that is looked at closely.
final class AccessStops {
  /// The means of the gaps between two stops, in accesses, for those in a mode that orders them.
  private static final int[] GAPS = {20, 60, 200, 600, 3_000};

  /// How many times rarer stops are at plain accesses, of which there are many more.
  private static final int PLAIN = 8;

  /// Bounds of the share of its accesses at which a thread stops that is looked at closely.
  private static final int CLOSELY_MAX = 40;

  private static final int CLOSE_STOPS_MAX = 40;

  /// At the n-th visit of a site, so many times in n a thread stops, and at most half of the time.
  private static final int RARE_STOPS = 2;

  private static final int RARE_MIN = 2 * RARE_STOPS;

  private final SplittableRandom random;
  private final int gap;
  private int left;
  private int plainLeft;
  private int[] visits = new int[1 << 12];

  AccessStops(long seed) {
    random = new SplittableRandom(seed);
    gap = GAPS[random.nextInt(GAPS.length)];
    left = next(gap);
    plainLeft = next(gap * PLAIN);
  }

  private int next(int mean) {
    return 1 + random.nextInt(2 * mean);
  }

  /// Lets a thread stop at many more accesses than others, but not without end: it may be at work
  /// on the whole store.
  void lookClosely(SimulatedThread thread) {
    thread.closely = 1 + random.nextInt(CLOSELY_MAX);
    thread.closelyLeft = CLOSE_STOPS_MAX;
  }

  /// How long a thread is stopped. Half of the time it is not longer than others need for a turn.
  /// Else it is long enough for them to finish what they do, and begin and finish more.
  int pauseNanos() {
    return random.nextBoolean() ? 0 : random.nextInt(1 << (10 + random.nextInt(12)));
  }

  /// Whether the thread stops before this access.
  ///
  /// @param ordered whether it is more than a plain access
  boolean isAt(SimulatedThread thread, int site, boolean ordered) {
    if (thread.closelyLeft > 0 && random.nextInt(thread.closely) == 0) {
      thread.closelyLeft--;
      return true;
    }
    if (site >= visits.length) {
      visits = Arrays.copyOf(visits, Math.max(site + 1, 2 * visits.length));
    }
    if (random.nextInt(Math.max(RARE_MIN, ++visits[site])) < RARE_STOPS) {
      return true;
    }
    if (ordered) {
      if (--left > 0) {
        return false;
      }
      left = next(gap);
    } else {
      if (--plainLeft > 0) {
        return false;
      }
      plainLeft = next(gap * PLAIN);
    }
    return true;
  }
}
