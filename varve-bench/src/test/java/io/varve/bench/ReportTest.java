package io.varve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.bench.engine.Engines;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static Set<String> yardsticks(String... engines) {
    return Report.yardsticks(Stream.of(engines).map(Contestants::named).toList());
  }

  @Test
  void whatMemoryGivesAndVarveInAnotherWayAreNoPeers() {
    assertThat(yardsticks("varve", "varve-mapped", "varve-memory", "rocksdb", "skiplist"))
        .containsExactlyInAnyOrder("varve-mapped", "varve-memory", "skiplist");
  }

  @Test
  void varveInAnotherWayIsAPeerWhereNothingElseIs() {
    assertThat(yardsticks("varve", "each", "flusher-1-park")).isEmpty();
    assertThat(Report.yardsticks(List.of(Engines.find("varve-encrypted").orElseThrow()))).isEmpty();
  }
}
