package io.varve.grid.guard.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.compression.DecompressionException;
import java.util.concurrent.CompletionException;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.Filter.Result;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.apache.logging.log4j.message.SimpleMessage;
import org.infinispan.topology.CacheJoinException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What of a node's log is left out.
class LogFilterTest {
  private final LogFilter filter = new LogFilter();

  private Result filter(Level level, @Nullable Throwable thrown) {
    return filter(level, "ISPN000660: Cache default start failed", thrown);
  }

  private Result filter(Level level, String message, @Nullable Throwable thrown) {
    return filter.filter(
        Log4jLogEvent.newBuilder()
            .setLoggerName("CONFIG")
            .setLevel(level)
            .setMessage(new SimpleMessage(message))
            .setThrown(thrown)
            .build());
  }

  /// Each rolling restart would show errors, with four traces of stacks.
  @Test
  void aNodeThatIsRefusedWithWhatItHasLogsNoErrorOfThat() {
    var refused = new CompletionException(new CacheJoinException("with persistent state"));
    assertThat(filter(Level.ERROR, refused)).isEqualTo(Result.DENY);
    assertThat(filter(Level.ERROR, new CompletionException(new IllegalStateException())))
        .isEqualTo(Result.NEUTRAL);
  }

  /// Its client is answered `WRONGTYPE`: `HDEL` of a list logged an error with a trace of its
  /// stack.
  @Test
  void aCommandOnAnotherTypeIsNotLogged() {
    Exception ofCollection = new ClassCastException();
    ofCollection.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("org.infinispan.multimap.impl.function.F", "apply", "F.java", 1)
        });
    assertThat(filter(Level.ERROR, new CompletionException(ofCollection))).isEqualTo(Result.DENY);
    assertThat(filter(Level.ERROR, new ClassCastException())).isEqualTo(Result.NEUTRAL);
    // The JVM has no trace of what it has thrown often in one place: such lines were in the log.
    Exception often = new ClassCastException();
    often.setStackTrace(new StackTraceElement[0]);
    String failed = "ISPN000136: Error executing command ReadWriteKeyCommand on Cache 'default'";
    assertThat(filter(Level.ERROR, failed, new CompletionException(often))).isEqualTo(Result.DENY);
    // One of any other place was left out as well, where it is a fault of ours.
    assertThat(filter(Level.ERROR, often)).isEqualTo(Result.NEUTRAL);
  }

  /// Netty warned of the second failure of a body that the client was answered by 400.
  @Test
  void aDamagedBodyIsNotLogged() {
    assertThat(filter(Level.WARN, new DecompressionException("not in the GZIP format")))
        .isEqualTo(Result.DENY);
  }

  @Test
  void linesThatSayTheSameAreFew() {
    for (int line = 0; line < 3; line++) {
      assertThat(filter(Level.WARN, null)).isEqualTo(Result.NEUTRAL);
    }
    assertThat(filter(Level.WARN, null)).isEqualTo(Result.DENY);
    assertThat(filter(Level.INFO, null)).isEqualTo(Result.NEUTRAL);
  }
}
