package io.varve.grid.guard.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;
import org.junit.jupiter.api.Test;

/// What is logged of memcached's connections that end.
class MemcachedResetTest {
  private static final String APPENDER = "resets";

  /// The classes of what was logged when a connection has failed.
  private static List<String> logged(Exception failure) {
    List<String> logged = new CopyOnWriteArrayList<>();
    var appender =
        new AbstractAppender(APPENDER, null, null, true, Property.EMPTY_ARRAY) {
          @Override
          public void append(LogEvent event) {
            if (event.getThrown() != null) {
              logged.add(event.getThrown().getClass().getSimpleName());
            }
          }
        };
    appender.start();
    LoggerConfig root = LoggerContext.getContext(false).getConfiguration().getRootLogger();
    root.addAppender(appender, Level.WARN, null);
    try {
      var connection = new EmbeddedChannel(answers());
      connection.pipeline().fireExceptionCaught(failure);
      assertThat(connection.isOpen()).isFalse();
    } finally {
      root.removeAppender(APPENDER);
    }
    return logged;
  }

  @SuppressWarnings("NullAway") // A connection that fails reads nothing.
  private static MemcachedAnswers answers() {
    return new MemcachedAnswers(null, null);
  }

  /// MEMCACHED-14. Each client that went away left the trace of a stack.
  @Test
  void aResetByTheClientIsNotLogged() {
    assertThat(logged(new IOException("Connection reset by peer"))).isEmpty();
    assertThat(logged(new IllegalStateException("a fault")))
        .containsExactly("IllegalStateException");
  }
}
