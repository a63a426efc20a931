package io.varve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.bench.report.Row;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/// The command, with real JVMs for the trials.
@Tag("slow")
class MainTest {
  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();

  private int execute(String... arguments) {
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(out));
    return command.execute(arguments);
  }

  @ParameterizedTest
  @ValueSource(strings = {"varve", "rocksdb", "lmdb", "mvstore", "xodus", "infinispan-sifs"})
  void killedStoreOpensWithAllThatItAcknowledged(String engine) throws IOException {
    Path csv = directory.resolve("open.csv");
    Path data = directory.resolve("data");
    int exitCode =
        execute(
            "open", "--quick", "--engines=" + engine, "--heap=1g", "--dir=" + data, "--csv=" + csv);
    assertThat(exitCode).as(out.toString()).isZero();
    assertThat(data).doesNotExist();
    List<String> lines = Files.readAllLines(csv);
    assertThat(lines.getFirst()).isEqualTo(Row.CSV_HEADER);
    List<Row> rows = lines.stream().skip(1).map(Row::parse).toList();
    assertThat(rows).anyMatch(row -> row.table().equals("device") && row.value() > 0);
    assertThat(rows)
        .filteredOn(row -> row.table().equals("open"))
        .extracting(Row::caseName)
        .containsExactly("open after kill", "acknowledged and found", "open after close");
    assertThat(out.toString()).contains("# machine: ").contains("# " + engine + ": ");
  }

  @Test
  void killedStoresOfAllSizesOpen() throws IOException {
    Path csv = directory.resolve("recovery.csv");
    String data = "--dir=" + directory.resolve("data");
    int exitCode =
        execute(
            "recovery",
            "--quick",
            "--size=2",
            "--engines=varve",
            "--heap=1g",
            data,
            "--csv=" + csv);
    assertThat(exitCode).as(out.toString()).isZero();
    assertThat(Files.readAllLines(csv).stream().skip(1).map(Row::parse))
        .filteredOn(row -> row.table().equals("recovery"))
        .extracting(Row::caseName)
        .contains("open after kill (0 MB)", "open after kill (2 MB)");
  }

  @Test
  void unknownNamesAreReportedWithTheKnownOnes() {
    assertThat(execute("nothing", "--dir=" + directory.resolve("data"))).isEqualTo(2);
    assertThat(out.toString()).contains("known are commit, ops");
    assertThat(execute("ops", "--engines=none", "--dir=" + directory.resolve("data"))).isEqualTo(2);
    assertThat(out.toString()).contains("known are varve, rocksdb");
  }

  /// A run that would measure nothing is refused before the device is measured.
  @Test
  void enginesThatATableDoesNotMeasureAreRefusedWithThoseThatItDoes() {
    Path data = directory.resolve("data");
    assertThat(execute("query", "--engines=varve", "--dir=" + data)).isEqualTo(2);
    assertThat(out.toString())
        .contains("measures none of these engines: table=query, engines=varve")
        .contains("it measures varve-query, h2, sqlite");
    assertThat(data).doesNotExist();
  }

  @Test
  void listNamesTablesAndEngines() {
    assertThat(execute("list")).isZero();
    assertThat(out.toString()).contains("nosync").contains("lmdb-group");
  }
}
