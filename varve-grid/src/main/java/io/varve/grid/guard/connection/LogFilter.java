package io.varve.grid.guard.connection;

import io.netty.handler.codec.compression.DecompressionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.filter.AbstractFilter;
import org.infinispan.topology.CacheJoinException;
import org.jspecify.annotations.Nullable;

/// Leaves lines of the servers out that repeat the same. They log what clients send them, with the
/// trace of a stack; so a client that sends nonsense fast enough would fill the disk. Lines on
/// commands of a collection that met a value of another type are left out, and of a compressed body
/// that is damaged: the client is answered so. And lines on a node that the cluster does not take
/// with what it has, at each level that hears of it: that start ends, and what has started it
/// reports the one thing that matters.
public final class LogFilter extends AbstractFilter {
  private static final System.Logger LOGGER = System.getLogger(LogFilter.class.getName());

  /// Of each kind, in the interval.
  private static final int LINES_MAX = 3;

  /// The number of a message of Infinispan, `ISPN005003`.
  private static final int NUMBER_CHARS = 10;

  /// Infinispan's message that a command of a cache has failed.
  private static final String FAILED_COMMAND = "ISPN000136";

  /// Where functions on lists, sets, hashes and sorted sets are.
  private static final String COLLECTIONS = "org.infinispan.multimap.";

  private final RareLines lines = new RareLines(TimeUnit.SECONDS.toNanos(10), LINES_MAX);

  /// A filter that has seen nothing.
  LogFilter() {}

  /// Filters what the process logs from now on.
  public static void install() {
    LogFilter filter = new LogFilter();
    filter.start();
    // Of the root logger, which all others hand their events to.
    LoggerContext context = LoggerContext.getContext(false);
    context.getConfiguration().getRootLogger().addFilter(filter);
    context.updateLoggers();
  }

  @Override
  public Result filter(LogEvent event) {
    if (!event.getLevel().isMoreSpecificThan(Level.WARN)) {
      return Result.NEUTRAL;
    }
    String number = number(event);
    if (isOfRefusedJoin(event.getThrown())
        || event.getThrown() instanceof DecompressionException
        || isOfAnotherType(number, event.getThrown())) {
      return Result.DENY;
    }
    String kind = kind(event, number);
    long leftOut = lines.admit(kind, System.nanoTime());
    if (leftOut > 0) {
      LOGGER.log(
          System.Logger.Level.INFO, "lines were left out: kind=" + kind + ", count=" + leftOut);
    }
    return leftOut < 0 ? Result.DENY : Result.NEUTRAL;
  }

  private static boolean isOfRefusedJoin(@Nullable Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof CacheJoinException) {
        return true;
      }
    }
    return false;
  }

  /// The JVM throws one without a trace where it was thrown often. It is that of a collection where
  /// a command on an entry has failed; any other is a fault of ours, and is logged.
  private static boolean isOfAnotherType(String number, @Nullable Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof ClassCastException
          && (cause.getStackTrace().length == 0
              ? number.equals(FAILED_COMMAND)
              : isOfCollections(cause))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOfCollections(Throwable cause) {
    return Stream.of(cause.getStackTrace())
        .map(StackTraceElement::getClassName)
        .filter(name -> !name.startsWith("java.")) // such as an Optional
        .findFirst()
        .filter(name -> name.startsWith(COLLECTIONS))
        .isPresent();
  }

  private static String number(LogEvent event) {
    String text = event.getMessage().getFormattedMessage();
    return text.startsWith("ISPN") && text.length() > NUMBER_CHARS
        ? text.substring(0, NUMBER_CHARS)
        : "";
  }

  /// What repeats: the logger, and the number of the message or the class of the exception. The
  /// rest of a message is what a client has sent.
  private static String kind(LogEvent event, String number) {
    Throwable thrown = event.getThrown();
    return event.getLoggerName()
        + " "
        + number
        + (thrown == null ? "" : " " + thrown.getClass().getName());
  }
}
