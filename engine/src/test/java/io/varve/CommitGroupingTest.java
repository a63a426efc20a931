package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CommitGroupingTest {
  @Test
  void limitsAreChecked() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new CommitGrouping.Cooperative(0, second))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("limit=0");
    assertThatThrownBy(() -> new CommitGrouping.Cooperative(1, second.plusNanos(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new CommitGrouping.Cooperative(1, Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new CommitGrouping.Flusher(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new CommitGrouping.Flusher(CommitGrouping.THREADS_MAX + 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void optionsKeepWhatIsSet() {
    StoreOptions options =
        StoreOptions.defaults()
            .log(log ->
                log.io(LogIo.MAPPED)
                    .commitGrouping(new CommitGrouping.Each())
                    .commitWait(CommitWait.YIELD));
    assertThat(options.log().io()).isEqualTo(LogIo.MAPPED);
    assertThat(options.log().commitGrouping()).isEqualTo(new CommitGrouping.Each());
    assertThat(options.log().commitWait()).isEqualTo(CommitWait.YIELD);
    assertThat(StoreOptions.defaults().log().commitGrouping())
        .isEqualTo(new CommitGrouping.Adaptive());
  }
}
