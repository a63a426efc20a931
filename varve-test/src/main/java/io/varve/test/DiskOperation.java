package io.varve.test;

/// What a call of a disk does.
public enum DiskOperation {
  /// Opens a file that exists.
  OPEN(false),
  /// Opens a file that did not exist, and so makes its name.
  CREATE(true),
  /// Reads bytes of a file.
  READ(false),
  /// Writes bytes of a file, durable on return or not.
  WRITE(true),
  /// Makes what was written to a file durable.
  FORCE(true),
  /// Cuts a file to a length.
  TRUNCATE(true),
  /// Maps a range of a file into memory.
  MAP(false),
  /// Renames a file.
  RENAME(true),
  /// Deletes a file.
  DELETE(true),
  /// Makes a directory.
  CREATE_DIRECTORY(true),
  /// Makes the names in a directory durable.
  SYNC_DIRECTORY(true);

  private final boolean mutating;

  DiskOperation(boolean mutating) {
    this.mutating = mutating;
  }

  /// Whether it changes what a disk holds now or would hold after a loss of power.
  public boolean isMutating() {
    return mutating;
  }
}
