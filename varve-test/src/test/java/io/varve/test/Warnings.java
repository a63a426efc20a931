package io.varve.test;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// What a part of the engine logs, in place of the console, until this is closed. Safe for threads.
final class Warnings extends Handler implements AutoCloseable {
  private final Logger logger;
  private final Queue<String> messages = new ConcurrentLinkedQueue<>();

  /// @param name of the logger of that part, or of a package above it
  Warnings(String name) {
    logger = Logger.getLogger(name);
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
  }

  /// What was logged so far, each with its cause if it has one.
  List<String> messages() {
    return List.copyOf(messages);
  }

  @Override
  public void publish(LogRecord entry) {
    Throwable cause = entry.getThrown();
    messages.add(cause == null ? entry.getMessage() : entry.getMessage() + ": " + cause);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
