package io.varve.cli.transfer;

import io.varve.Space;
import io.varve.cli.console.CommandException;

/// A line of an input, for error messages.
///
/// @param source the name of the file
/// @param line counted from 1
record InputPlace(String source, long line) {
  /// The error that `problem` at this line is.
  CommandException error(String problem) {
    return CommandException.usage(this + ": " + problem);
  }

  /// The error that `problem` at this line is.
  CommandException error(String problem, Throwable cause) {
    return CommandException.usage(this + ": " + problem, cause);
  }

  /// The error that bytes which are no text are. A reader reads ahead, so they may be further on.
  CommandException notUtf8(Throwable cause) {
    return error("not UTF-8, here or further on", cause);
  }

  /// Gives `key` if a space takes it.
  byte[] requireKey(byte[] key) {
    return requireKey(this, key);
  }

  /// Gives `key`, of a location that may be no line, if a space takes it.
  static byte[] requireKey(Object place, byte[] key) {
    if (key.length > Space.KEY_BYTES_MAX) {
      throw CommandException.usage(
          place + ": key too long: bytes=" + key.length + ", max=" + Space.KEY_BYTES_MAX);
    }
    return key;
  }

  @Override
  public String toString() {
    return source + ": line " + line;
  }
}
