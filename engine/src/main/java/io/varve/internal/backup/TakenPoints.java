package io.varve.internal.backup;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The backup points that were taken of a store's own history. A copy of the store that was opened
/// has another history from there on, under the same id.
public interface TakenPoints {
  /// Knows no point, so each one is full.
  TakenPoints UNKNOWN =
      new TakenPoints() {
        @Override
        public boolean contains(UUID point) {
          return false;
        }

        @Override
        public void add(UUID point, @Nullable UUID before) {}
      };

  /// Whether a point holds a state that this store was in. Of a point that is not among the newest
  /// it may be unknown.
  boolean contains(UUID point);

  /// Remembers a point that was taken now.
  ///
  /// @param before the newest one of this history in the same place, which matters less from now
  ///   on; null if there is none
  void add(UUID point, @Nullable UUID before);
}
