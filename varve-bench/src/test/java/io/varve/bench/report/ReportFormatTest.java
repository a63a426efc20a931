package io.varve.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReportFormatTest {
  private static Row rate(String engine, double value) {
    return new Row("ops", engine, "get uniform", 2, Metric.RATE, value);
  }

  private static Row latency(String engine, double value) {
    return new Row("ops", engine, "get uniform", 2, Metric.LATENCY_P99, value);
  }

  @Test
  void rowsAreLinesOfSevenFields() {
    assertThat(Row.CSV_HEADER).isEqualTo("table,engine,case,threads,metric,unit,value");
    assertThat(rate("varve", 1234567.8).toCsv())
        .isEqualTo("ops,varve,get uniform,2,rate,op/s,1234568");
    assertThat(latency("lmdb", 12.3456).toCsv()).isEqualTo("ops,lmdb,get uniform,2,p99,us,12.35");
  }

  @Test
  void rowsAreReadBack() {
    Row row = rate("varve", 1234568);
    assertThat(Row.parse(row.toCsv())).isEqualTo(row);
    assertThatThrownBy(() -> Row.parse("ops,varve")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Row("ops", "varve", "a,b", 1, Metric.RATE, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void mediansAreOverTrials() {
    var results = new Results(List.of("varve"));
    for (double value : new double[] {5, 100, 7}) {
      results.add(rate("varve", value));
    }
    assertThat(results.medians()).containsExactly(rate("varve", 7));
  }

  @Test
  void ratiosCompareWithTheBestPeerWhicheverWayIsBetter() {
    var results = new Results(List.of("varve", "lmdb", "rocksdb", "skiplist"));
    for (Row row :
        List.of(
            rate("skiplist", 900),
            rate("lmdb", 100),
            rate("rocksdb", 50),
            rate("varve", 200),
            latency("lmdb", 10),
            latency("rocksdb", 20),
            latency("varve", 5))) {
      results.add(row);
    }
    List<String> lines = new Summary(results, "varve", Set.of("skiplist")).lines();
    assertThat(lines.get(1)).contains("get uniform").endsWith("lmdb   2.00");
    assertThat(lines.get(2)).endsWith("lmdb   2.00");
  }

  @Test
  void linesFollowTheEngineThatHasMostOfThem() {
    var results = new Results(List.of("varve", "lmdb"));
    results.add(latency("lmdb", 1));
    results.add(rate("varve", 2));
    results.add(latency("varve", 3));
    assertThat(results.medians())
        .containsExactly(rate("varve", 2), latency("lmdb", 1), latency("varve", 3));
  }

  @Test
  void figuresAreShortened() {
    assertThat(Summary.shortened(0.5)).isEqualTo("0.50");
    assertThat(Summary.shortened(42.13)).isEqualTo("42.1");
    assertThat(Summary.shortened(9_994)).isEqualTo("9994");
    assertThat(Summary.shortened(12_345)).isEqualTo("12k");
    assertThat(Summary.shortened(999_600)).isEqualTo("1.00M");
    assertThat(Summary.shortened(12_345_678)).isEqualTo("12.3M");
  }
}
