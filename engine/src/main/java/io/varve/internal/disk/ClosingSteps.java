package io.varve.internal.disk;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The steps of a close, each of which releases something. Each is taken whatever those before it
/// threw, an error included: memory that maps a file which something truncated throws one. For one
/// thread.
public final class ClosingSteps {
  private @Nullable Throwable failure;

  public ClosingSteps() {}

  /// The steps after a failure: what they throw is suppressed in it. The caller throws it after
  /// them.
  public ClosingSteps(Throwable failure) {
    this.failure = failure;
  }

  /// Releases something.
  @FunctionalInterface
  public interface Step {
    void run() throws IOException;
  }

  /// Takes a step.
  public void take(Step step) {
    try {
      step.run();
    } catch (IOException | RuntimeException | Error e) {
      failed(e);
    }
  }

  private void failed(Throwable next) {
    Throwable first = failure;
    if (first == null) {
      failure = next;
    } else if (!first.equals(next)) {
      try {
        first.addSuppressed(next);
      } catch (OutOfMemoryError _) {
        // The first is thrown; the steps that are left release memory.
      }
    }
  }

  /// What the first step that failed threw, with what later ones threw as suppressed; null if none
  /// failed.
  public @Nullable Throwable failure() {
    return failure;
  }

  /// Throws what the first step that failed threw.
  public void throwFailure() throws IOException {
    if (failure != null) {
      rethrow(failure);
    }
  }

  /// Throws a failure of a step as what it is. By no pattern of a switch: the first of those takes
  /// a new JVM 7 ms.
  public static void rethrow(Throwable failure) throws IOException {
    if (failure instanceof Error e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    throw (IOException) failure;
  }
}
