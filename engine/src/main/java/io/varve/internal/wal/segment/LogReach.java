package io.varve.internal.wal.segment;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// How far the log was made ready, remembered outside of the log: evidence that one of its files is
/// missing or was cut.
///
/// @param generation the last one that was started; 0 if the log was discarded since
/// @param preparedLsn up to where its segments were written ahead of their use
public record LogReach(int generation, long preparedLsn) {
  /// Of a store whose log was discarded.
  public static final LogReach DISCARDED = new LogReach(0, 0);

  /// Whether the log was discarded since.
  public boolean isDiscarded() {
    return generation == 0 && preparedLsn == 0;
  }

  /// Remembers it.
  public interface Keeper {
    /// Remembers nothing.
    Keeper NONE =
        new Keeper() {
          @Override
          public @Nullable LogReach known() {
            return null;
          }

          @Override
          public void remember(LogReach reach) {
            // as for a log that is read alone, or of a store that is not finished
          }
        };

    /// What is known, or null if nothing is.
    @Nullable LogReach known() throws IOException;

    /// Makes it known, durably.
    void remember(LogReach reach) throws IOException;
  }
}
