package io.varve.bench.measure;

/// What kind of threads work in a cell.
public enum ThreadKind {
  PLATFORM,
  VIRTUAL;

  Thread start(String name, Runnable work) {
    return switch (this) {
      case PLATFORM -> Thread.ofPlatform().name(name).daemon().start(work);
      case VIRTUAL -> Thread.ofVirtual().name(name).start(work);
    };
  }

  /// The word used in results.
  public String label() {
    return switch (this) {
      case PLATFORM -> "platform";
      case VIRTUAL -> "virtual";
    };
  }
}
