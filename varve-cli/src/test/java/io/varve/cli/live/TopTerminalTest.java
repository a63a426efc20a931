package io.varve.cli.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Snapshot;
import io.varve.Statistics;
import io.varve.Store;
import io.varve.control.HolderFigures;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jline.terminal.Size;
import org.jline.terminal.impl.LineDisciplineTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(60)
final class TopTerminalTest {
  private static HolderFigures figures(Statistics of) {
    return new HolderFigures(of, 17, 125_000, 1_000_000, 2_000_000);
  }

  private static String shown(String keys, Supplier<HolderFigures> figures) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var terminal = new LineDisciplineTerminal("test", "xterm", out, UTF_8)) {
      terminal.setSize(new Size(60, 20));
      terminal.processInputBytes(keys.getBytes(UTF_8));
      new TopTerminal(figures, Path.of("data"), /* isStyled= */ false)
          .run(terminal, Duration.ofMillis(1));
    }
    return out.toString(UTF_8);
  }

  private static final String ENTER = "\u001b[?1049h";
  private static final String LEAVE = "\u001b[?1049l";

  @Test
  void screenEndsByItsKeyAndLeavesTheTerminalAsItWas() throws IOException {
    try (Store store = Store.inMemory()) {
      String shown = shown("xq", () -> figures(store.statistics()));
      assertThat(shown).contains(ENTER).contains("varve top  data  pid 17");
      assertThat(shown.indexOf(LEAVE)).isGreaterThan(shown.indexOf("snapshots"));
    }
  }

  @Test
  void processThatEndsLeavesTheTerminalAsItWas() {
    assertThatThrownBy(() ->
            shown(
                "",
                () -> {
                  throw new IllegalStateException("it has ended");
                }))
        .hasMessage("it has ended");
  }

  @Test
  void linesAreOfTheInterval() {
    try (Store store = Store.inMemory()) {
      HolderFigures before = figures(store.statistics());
      for (int i = 0; i < 20; i++) {
        store.space("s").put(new byte[] {(byte) i}, new byte[10]);
      }
      try (Snapshot _ = store.snapshot()) {
        HolderFigures now = figures(store.statistics());
        List<String> lines =
            new TopScreen(Path.of("data")).lines(before, now, Duration.ofSeconds(2));
        long commits =
            now.statistics().commits().applied() - before.statistics().commits().applied();
        assertThat(lines.getFirst()).isEqualTo("varve top  data  pid 17  up 2 min 5 s  (q ends)");
        assertThat(lines)
            .anyMatch(line -> line.matches("commits +%s/s, .*".formatted(commits / 2.0 + "0?")))
            .anyMatch(line -> line.matches("snapshots +1"))
            .anyMatch(line -> line.contains("old, of "));
      }
    }
  }

  @Test
  void jsonHasAllFigures() {
    try (Store store = Store.inMemory();
        Snapshot _ = store.snapshot()) {
      store.space("s").put(new byte[] {1}, new byte[10]);
      JsonNode json = JsonMapper.builder().build().readTree(FiguresJson.line(store.statistics()));
      assertThat(json.propertyNames())
          .contains(
              "time", "commits", "log", "cache", "checkpoints", "disk", "recovery", "snapshots");
      assertThat(json.at("/commits/applied").asLong())
          .isEqualTo(store.statistics().commits().applied());
      assertThat(json.at("/log/forceTimes/count").isNumber()).isTrue();
      assertThat(json.at("/cache/offHeap/budgetBytes").isNumber()).isTrue();
      assertThat(json.at("/snapshots/open/0/owner").isString()).isTrue();
    }
  }
}
