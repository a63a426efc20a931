package io.varve.bench.report.html;

import io.varve.bench.report.Metric;
import io.varve.bench.report.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Writes the page: one file, which fetches nothing. Each figure is in a table of the page, with
/// what it is in attributes; a script draws the charts from those, by the library that is written
/// into the page. So without scripts, for a screen reader and for a test the tables contain all.
public final class ReportPage {
  /// The name of the page in its directory.
  public static final String FILE = "index.html";

  private static final String CHART_LIBRARY =
      "/META-INF/resources/webjars/chart.js/4.4.9/dist/chart.umd.js";

  private final String subject;
  private final Set<String> yardsticks;
  private final List<String> machine;
  private final List<Row> device;
  private final List<Section> sections = new ArrayList<>();

  /// Makes a page without tables.
  ///
  /// @param subject the engine that is compared with the others
  /// @param yardsticks engines that are shown but are no peers
  /// @param machine how and on what it was measured, a line each
  /// @param device the limits of the device
  public ReportPage(
      String subject, Set<String> yardsticks, List<String> machine, List<Row> device) {
    this.subject = subject;
    this.yardsticks = Set.copyOf(yardsticks);
    this.machine = List.copyOf(machine);
    this.device = List.copyOf(device);
  }

  /// Adds a table at the end.
  public void add(Section section) {
    sections.add(section);
  }

  /// Writes the page into a directory, which is made if it is missing.
  ///
  /// @return the file
  public Path write(Path directory) {
    try {
      Files.createDirectories(directory);
      return Files.writeString(directory.resolve(FILE), html());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String html() {
    StringBuilder page = new StringBuilder();
    page.append(
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Varve benchmarks</title>
        <style>
        """);
    page.append(Reference.text("report.css")).append("</style>\n</head>\n<body>\n");
    header(page);
    page.append("<main>\n");
    if (!device.isEmpty()) {
      section(
          page,
          new Section(
              "device",
              "the machine itself, without any store: what bounds all tables below",
              List.of(),
              device,
              List.of()));
    }
    sections.forEach(each -> section(page, each));
    page.append("</main>\n<script>\n").append(script(library())).append("\n</script>\n");
    page.append("<script>\n").append(script(Reference.text("report.js")));
    return page.append("</script>\n</body>\n</html>\n").toString();
  }

  private static String library() {
    String library =
        Reference.text(ReportPage.class.getResourceAsStream(CHART_LIBRARY), CHART_LIBRARY);
    // The page has no file next to it that such a line could name.
    return library.replaceAll("(?m)^//# sourceMappingURL=.*$", "");
  }

  /// A script that cannot end the element it is in.
  private static String script(String code) {
    return code.replace("</script", "<\\/script");
  }

  private void header(StringBuilder page) {
    page.append("<header>\n<h1>Varve benchmarks</h1>\n<ul class=\"machine\">\n");
    machine.forEach(line -> page.append("<li>").append(escaped(line)).append("</li>\n"));
    page.append("</ul>\n<nav aria-label=\"Tables\">\n");
    if (!device.isEmpty()) {
      page.append("<a href=\"#device\">device</a>\n");
    }
    for (Section section : sections) {
      String name = escaped(section.table());
      page.append("<a href=\"#").append(name).append("\">").append(name).append("</a>\n");
    }
    page.append(
        """
        </nav>
        <p class="key"><span class="swatch subject"></span>Varve <span class="swatch peer"></span>\
        other stores <span class="swatch yardstick"></span>what memory or the device gives \
        <span class="swatch published"></span>published by others, on other hardware</p>
        </header>
        """);
  }

  private void section(StringBuilder page, Section section) {
    String name = escaped(section.table());
    page.append("<section id=\"").append(name).append("\" data-subject=\"");
    page.append(escaped(subject)).append("\">\n<h2>").append(name).append("</h2>\n<p>");
    page.append(escaped(section.description())).append("</p>\n");
    for (String failure : section.failures()) {
      page.append("<p class=\"failure\">").append(escaped(failure)).append("</p>\n");
    }
    page.append("<div class=\"charts\"></div>\n");
    figures(page, section);
    if (!section.settings().isEmpty()) {
      page.append("<details><summary>Settings</summary>\n<pre>");
      section.settings().forEach(line -> page.append(escaped(line)).append('\n'));
      page.append("</pre></details>\n");
    }
    page.append("</section>\n");
  }

  private void figures(StringBuilder page, Section section) {
    page.append("<details class=\"figures\"><summary>All figures</summary>\n<table>\n");
    page.append("<caption>").append(escaped(section.table()));
    page.append(": medians over the trials</caption>\n<thead><tr>");
    for (String head : List.of("case", "threads", "engine", "metric", "value", "unit", "source")) {
      page.append("<th scope=\"col\">").append(head).append("</th>");
    }
    page.append("</tr></thead>\n<tbody>\n");
    section.rows().forEach(row -> figure(page, row, kind(section, row.engine()), ""));
    references(section).forEach(line -> figure(page, line.row, line.kind, line.source));
    page.append("</tbody>\n</table></details>\n");
  }

  private String kind(Section section, String engine) {
    if (engine.equals(subject) || engine.startsWith(subject + "-")) {
      return "subject";
    }
    return section.table().equals("device") || yardsticks.contains(engine) ? "yardstick" : "peer";
  }

  /// A figure that was not measured in the table that shows it.
  private record Line(Row row, String kind, String source) {}

  private Set<Line> references(Section section) {
    Set<Line> lines = new LinkedHashSet<>();
    for (Row row : section.rows()) {
      for (Reference.Limit limit : Reference.limits()) {
        limit
            .of(row, device)
            .ifPresent(of -> {
              String who = "device: " + of.caseName() + " x" + of.threads();
              lines.add(new Line(nextTo(row, who, of.value()), "yardstick", "this machine"));
            });
      }
      for (Reference.Published figure : Reference.published()) {
        if (figure.table().equals(row.table())
            && figure.caseName().equals(row.caseName())
            && figure.threads() == row.threads()
            && figure.metric() == row.metric()) {
          Row published = nextTo(row, figure.who(), figure.value());
          lines.add(new Line(published, "published", figure.source()));
        }
      }
    }
    return lines;
  }

  private static Row nextTo(Row row, String who, double value) {
    return new Row(row.table(), who, row.caseName(), row.threads(), row.metric(), value);
  }

  private static void figure(StringBuilder page, Row row, String kind, String source) {
    Metric metric = row.metric();
    page.append("<tr data-kind=\"").append(kind);
    page.append("\" data-value=\"").append(row.value());
    page.append("\" data-better=\"").append(metric.moreIsBetter() ? "more" : "less");
    page.append("\"><td>").append(escaped(row.caseName()));
    page.append("</td><td>").append(row.threads());
    page.append("</td><td>").append(escaped(row.engine()));
    page.append("</td><td>").append(escaped(metric.label()));
    page.append("</td><td>").append(String.format(Locale.ROOT, "%,.4g", row.value()));
    page.append("</td><td>").append(escaped(metric.unit()));
    page.append("</td><td>").append(escaped(source)).append("</td></tr>\n");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
