package io.varve.cli.transfer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Entries to load, one after the other. For one thread, except [#bytesRead].
public interface RecordSource extends AutoCloseable {
  /// The next entry, or null after the last.
  ///
  /// @throws io.varve.cli.console.CommandException if the input makes no sense; names the line
  @Nullable Incoming next();

  /// How many bytes there are to read, or -1 if it is unknown.
  long totalBytes();

  /// How many bytes were read so far. Any thread may ask.
  long bytesRead();

  /// What the user is to know after the last entry: what was left out, say.
  default List<String> notes() {
    return List.of();
  }

  @Override
  void close();
}
