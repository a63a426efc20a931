package io.varve.cli;

import io.varve.VarveException;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.KeyText;
import io.varve.cli.console.OutputFailedException;
import io.varve.cli.console.Shutdown;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Turns what went wrong into one line on standard error and an exit code. A stack trace is for
/// `--debug` alone.
final class Failures {
  private final PrintStream err;
  private final BooleanSupplier debug;

  Failures(PrintStream err, BooleanSupplier debug) {
    this.err = err;
    this.debug = debug;
  }

  /// Reports an error of the JVM; gives the exit code. It is that of the store, and not the one of
  /// the JVM, which is that of a command whose answer is no.
  int report(Error error) {
    print(
        switch (error) {
          case OutOfMemoryError e ->
              "out of memory: "
                  + e.getMessage()
                  + "; give the JVM more, as by VARVE_JAVA_OPTIONS=-Xmx4g";
          case StackOverflowError _ ->
              "the stack of a thread is full: what was given nests too deeply; give threads more,"
                  + " as by VARVE_JAVA_OPTIONS=-Xss16m";
          case ExceptionInInitializerError e when e.getCause() != null ->
              "internal error: " + e.getCause() + "; --debug shows where";
          case LinkageError e ->
              "a part of the program is missing or of another version: "
                  + e
                  + "; install or build varve again, as a whole";
          default -> "internal error: " + error + "; --debug shows where";
        },
        error);
    return ExitCode.STORE;
  }

  /// Reports `failure`; gives the exit code.
  int report(Exception failure) {
    if (Shutdown.isUnderWay()) {
      return ExitCode.INTERRUPTED; // The store was closed under the command; that is no news.
    }
    OutputFailedException output = causeOf(failure, OutputFailedException.class);
    if (output != null && output.isBrokenPipe()) {
      return ExitCode.BROKEN_PIPE;
    }
    print(messageOf(failure), failure);
    return failure instanceof CommandException e ? e.exitCode() : ExitCode.STORE;
  }

  /// Names of files may hold what a terminal would obey.
  private void print(String message, Throwable failure) {
    err.println("varve: " + KeyText.shown(message));
    if (debug.getAsBoolean()) {
      failure.printStackTrace(err);
    }
    err.flush();
  }

  private static String messageOf(Exception failure) {
    if (failure instanceof CommandException) {
      return String.valueOf(failure.getMessage());
    }
    if (failure instanceof VarveException) {
      return withCause(String.valueOf(failure.getMessage()), failure.getCause());
    }
    IOException io = causeOf(failure, IOException.class);
    if (io != null) {
      return describe(io);
    }
    return "internal error: " + failure + "; --debug shows where";
  }

  /// What a message leaves to its cause.
  private static String withCause(String message, @Nullable Throwable cause) {
    if (cause == null || !message.contains("see the cause")) {
      return message;
    }
    return message + ": " + (cause instanceof IOException io ? describe(io) : cause);
  }

  /// The exceptions of file systems often name the file and leave out what is wrong with it.
  private static String describe(IOException failure) {
    return switch (failure) {
      case OutputFailedException e -> "cannot write the output: " + e.getMessage();
      case NoSuchFileException e -> "no such file: " + e.getFile();
      case AccessDeniedException e -> "no permission: " + e.getFile();
      case FileSystemException e when e.getReason() == null ->
          e.getClass().getSimpleName() + ": " + e.getFile();
      default -> String.valueOf(failure.getMessage());
    };
  }

  private static <T extends Throwable> @Nullable T causeOf(Throwable failure, Class<T> type) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (type.isInstance(at)) {
        return type.cast(at);
      }
    }
    return null;
  }
}
