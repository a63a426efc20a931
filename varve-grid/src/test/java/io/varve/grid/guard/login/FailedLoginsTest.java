package io.varve.grid.guard.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/// FAILED-1
class FailedLoginsTest {
  private final Queue<Runnable> later = new ArrayDeque<>();
  private final List<String> lines = new ArrayList<>();
  private final FailedLogins failed = new FailedLogins(later::add, lines::add);

  private void endInterval() {
    later.remove().run();
  }

  private List<String> taken() {
    List<String> taken = List.copyOf(lines);
    lines.clear();
    return taken;
  }

  @Test
  void theFirstHasALineAndThoseThatFollowHaveOneTogether() {
    for (int at = 0; at < 413; at++) {
      failed.add("192.0.2.1", LoginProtocol.RESP);
    }
    failed.add("192.0.2.1", LoginProtocol.HTTP);
    assertThat(taken())
        .containsExactly(
            "logins failed: peer=192.0.2.1, protocol=resp, count=1; look who asks, if it is often",
            "logins failed: peer=192.0.2.1, protocol=http, count=1; look who asks, if it is often");
    endInterval();
    assertThat(taken()).singleElement().asString().contains("protocol=resp, count=412;");
    failed.add("192.0.2.1", LoginProtocol.RESP);
    assertThat(taken()).isEmpty();
    endInterval();
    assertThat(taken()).singleElement().asString().contains("protocol=resp, count=1;");
    endInterval();
    assertThat(later).isEmpty();
    assertThat(failed.count(LoginProtocol.RESP).sum()).isEqualTo(414);
    assertThat(failed.count(LoginProtocol.MEMCACHED).sum()).isZero();
    failed.add("192.0.2.1", LoginProtocol.RESP);
    assertThat(taken()).as("the first again").hasSize(1);
  }

  /// Any number of addresses fills no log, and each failure is counted.
  @Test
  void manyAddressesShareALine() {
    for (int at = 0; at < 10_000; at++) {
      failed.add("address-" + at, LoginProtocol.HOT_ROD);
    }
    endInterval();
    List<String> written = taken();
    assertThat(written).hasSizeLessThan(100);
    assertThat(
            written.stream()
                .mapToInt(line -> Integer.parseInt(line.replaceAll(".*count=(\\d+);.*", "$1")))
                .sum())
        .isEqualTo(10_000);
    assertThat(written.getLast()).contains("peer=others, protocol=others");
  }
}
