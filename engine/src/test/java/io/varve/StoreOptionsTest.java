package io.varve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Options of extreme values are refused by name, or serve a store.
class StoreOptionsTest {
  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

  @Test
  void timesOutOfRangeAreRefusedByName() {
    var options = StoreOptions.defaults();
    for (Duration time :
        new Duration[] {Duration.ofSeconds(Long.MIN_VALUE), Duration.ZERO, Duration.ofNanos(1)}) {
      assertThatThrownBy(() -> options.checkpointInterval(time))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("checkpointInterval out of range: checkpointInterval=" + time);
      assertThatThrownBy(() -> options.log(log -> log.flushInterval(time)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("log.flushInterval out of range: log.flushInterval=" + time);
    }
    assertThatThrownBy(() -> options.log(log -> log.flushInterval(FOREVER)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("max=PT1H");
  }

  @Test
  @SuppressWarnings("NullAway") // what a program without checks may give
  void timesThatAreNullAreRefusedByName() {
    assertThatThrownBy(() -> StoreOptions.defaults().checkpointInterval(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("checkpointInterval");
    assertThatThrownBy(() -> StoreOptions.defaults().log(log -> log.flushInterval(null)))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("log.flushInterval");
  }

  /// The store was made, and could not be opened: the interval has no count of nanoseconds.
  @Test
  void storeOpensWhoseCheckpointIsNeverDue(@TempDir Path directory) {
    for (Duration time : new Duration[] {Duration.ofDays(365 * 300), FOREVER}) {
      var options = StoreOptions.defaults().checkpointInterval(time);
      assertThat(options.checkpointInterval()).isEqualTo(time);
      try (Store store = Store.open(directory, options)) {
        store.space("s").put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
        store.verify().requireSound();
      }
    }
  }
}
