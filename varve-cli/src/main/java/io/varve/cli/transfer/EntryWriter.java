package io.varve.cli.transfer;

import org.jspecify.annotations.Nullable;

/// Writes entries to standard output in some format.
@FunctionalInterface
public interface EntryWriter extends AutoCloseable {
  /// Writes an entry, or a key alone.
  ///
  /// @throws io.varve.cli.console.CommandException if the format has no way to write it
  void write(String space, byte[] key, byte @Nullable [] value);

  /// Hands what was written on. The output below stays open.
  @Override
  default void close() {}
}
