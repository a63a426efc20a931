package io.varve.bench.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.bench.report.Metric;
import io.varve.bench.report.Row;
import io.varve.bench.table.Tables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ReportPageTest {
  private static final List<Row> DEVICE =
      List.of(
          new Row("device", "raw", "write 4 KiB DSYNC DIRECT", 1, Metric.RATE, 6_000),
          new Row("device", "raw", "write 4 KiB DSYNC DIRECT", 4, Metric.RATE, 20_000));

  @TempDir private Path directory;

  private Document written(ReportPage page) throws IOException {
    return Jsoup.parse(Files.readString(page.write(directory.resolve("new/dir"))));
  }

  private static ReportPage page() {
    return new ReportPage("varve", Set.of("skiplist"), List.of("machine: <a> & \"b\""), DEVICE);
  }

  private static Section section(String table, List<Row> rows) {
    return new Section(table, "what it measures", List.of("plan: trials=1"), rows, List.of());
  }

  private static List<String> cells(Element row) {
    return row.select("td").eachText();
  }

  @Test
  void holdsEveryRowOfEveryTable() throws IOException {
    ReportPage page = page();
    List<Row> all = new ArrayList<>(DEVICE);
    List<String> names =
        new ArrayList<>(Tables.all().stream().map(table -> table.label()).toList());
    names.add("a-table-of-tomorrow");
    for (String name : names) {
      List<Row> rows = new ArrayList<>();
      for (String engine : List.of("varve", "rocksdb", "skiplist")) {
        for (Metric metric : Metric.values()) {
          rows.add(new Row(name, engine, "some case", 2, metric, rows.size() + 0.5));
        }
      }
      all.addAll(rows);
      page.add(section(name, rows));
    }
    Document document = written(page);
    Map<List<String>, Element> shown = shownRows(document);
    for (Row row : all) {
      List<String> key =
          List.of(
              row.table(),
              row.caseName(),
              Integer.toString(row.threads()),
              row.engine(),
              row.metric().label());
      assertThat(shown).containsKey(key);
      Element tr = shown.get(key);
      assertThat(Double.parseDouble(tr.attr("data-value"))).isEqualTo(row.value());
      assertThat(cells(tr).get(5)).isEqualTo(row.metric().unit());
    }
    for (String name : names) {
      assertThat(document.select("section#" + name + " .charts")).hasSize(1);
      assertThat(document.select("nav a[href=#" + name + "]")).hasSize(1);
    }
  }

  /// The rows of all tables, by their table and their first four cells.
  private static Map<List<String>, Element> shownRows(Document document) {
    Map<List<String>, Element> rows = new HashMap<>();
    for (Element section : document.select("section")) {
      for (Element tr : section.select("tbody tr")) {
        List<String> key = new ArrayList<>(List.of(section.id()));
        key.addAll(cells(tr).subList(0, 4));
        assertThat(rows.put(key, tr)).isNull();
      }
    }
    return rows;
  }

  @Test
  void fetchesNothing() throws IOException {
    ReportPage page = page();
    page.add(section("ops", List.of(new Row("ops", "varve", "get", 1, Metric.RATE, 1))));
    Document document = written(page);
    assertThat(document.select("[src], link, img, iframe, object, embed, base, meta[http-equiv]"))
        .isEmpty();
    assertThat(document.select("a[href]")).allMatch(a -> a.attr("href").startsWith("#"));
    assertThat(document.select("style").html()).doesNotContain("url(", "@import");
    assertThat(document.select("script").last().html())
        .doesNotContain("http", "fetch(", "XMLHttpRequest", "import");
    assertThat(document.select("script").first().html())
        .contains("Chart.js")
        .doesNotContain("sourceMappingURL");
    assertThat(document.select("script")).hasSize(2);
  }

  @Test
  void showsLimitsAndPublishedFiguresNextToTheMeasured() throws IOException {
    ReportPage page = page();
    List<Row> rows =
        List.of(
            new Row("commit", "varve", "commit of 1 platform", 8, Metric.RATE, 9_000),
            new Row("commit", "varve", "commit of 10 platform", 8, Metric.RATE, 8_000));
    page.add(section("commit", rows));
    Document document = written(page);
    assertThat(document.select("#commit tr[data-kind=yardstick]"))
        .singleElement()
        .satisfies(tr -> {
          assertThat(cells(tr).get(2)).isEqualTo("device: write 4 KiB DSYNC DIRECT x4");
          assertThat(tr.attr("data-value")).isEqualTo("20000.0");
        });
    assertThat(document.select("#commit tr[data-kind=published]"))
        .isNotEmpty()
        .allSatisfy(tr -> assertThat(cells(tr).get(6)).isNotEmpty());
    assertThat(document.select("#commit tr[data-kind=subject]")).hasSize(2);
  }

  @Test
  void textIsText() throws IOException {
    ReportPage page = page();
    Section odd =
        new Section(
            "odd", "<b>&</b>", List.of("</pre><script>"), List.of(), List.of("failed: <i>"));
    page.add(odd);
    Document document = written(page);
    assertThat(document.select(".machine li").text()).isEqualTo("machine: <a> & \"b\"");
    assertThat(document.select("#odd > p").first().text()).isEqualTo("<b>&</b>");
    assertThat(document.select("#odd .failure").text()).isEqualTo("failed: <i>");
    assertThat(document.select("script")).hasSize(2);
  }

  /// The lines of the mail about appending, and the matrix of IGNITE-6339.
  @Test
  void wholeTablesOfOthersAreThere() {
    assertThat(Reference.published())
        .filteredOn(figure -> figure.table().equals("append") && figure.threads() <= 20)
        .hasSize(65);
    assertThat(Reference.published())
        .filteredOn(figure -> figure.table().equals("wal"))
        .hasSize(36);
  }

  /// A figure of a metric or a table that there is not would never be shown.
  @Test
  void publishedFiguresAndLimitsBelongToTables() {
    assertThat(Reference.published())
        .isNotEmpty()
        .allSatisfy(figure -> {
          assertThat(Tables.named(figure.table())).isNotNull();
          assertThat(figure.source()).isNotBlank();
          assertThat(figure.value()).isPositive();
        });
    assertThat(Reference.limits())
        .isNotEmpty()
        .allSatisfy(limit -> assertThat(Tables.named(limit.table())).isNotNull());
  }
}
