package io.varve.internal.txn;

/// Checks whether what a transaction read is unchanged: first without locks, where it may read
/// files, and then under the locks of the spaces.
interface ReadCheck {
  /// Of a commit that has read nothing.
  ReadCheck NOTHING =
      new ReadCheck() {
        @Override
        public void check() {}

        @Override
        public boolean checkLocked() {
          return true;
        }
      };

  /// Looks at all that was read, without locks.
  ///
  /// @throws io.varve.ConflictException if any of it has changed
  void check();

  /// Looks at all that was read, under the locks of its spaces, where what it finds is firm.
  ///
  /// @return false if a value has moved since [#check], which has to be called again
  /// @throws io.varve.ConflictException if any of it has changed
  boolean checkLocked();
}
