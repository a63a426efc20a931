package io.varve.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.springframework.boot.json.JsonParserFactory;

/// The example application, `examples/spring-boot`, in a process of its own.
final class LibraryProcess implements AutoCloseable {
  private static final Path EXAMPLE = Path.of("../examples/spring-boot");
  private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");
  private static final long START_SECONDS_MAX = 120;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final Path log;
  private String port;

  private LibraryProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.port = "";
  }

  /// Starts the application with the class path of this test, without devtools unless they are
  /// asked for, and waits until it serves.
  ///
  /// @param directory that the process works in: what it keeps is there
  /// @param classes directories of class files that go before that class path
  static LibraryProcess start(Path directory, boolean devtools, List<Path> classes)
      throws Exception {
    var path = new ArrayList<String>();
    classes.forEach(of -> path.add(of.toAbsolutePath().toString()));
    path.add(EXAMPLE.resolve("src/main/resources").toAbsolutePath().normalize().toString());
    path.addAll(Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator)));
    Path log = directory.resolve("library.log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + directory, // Tomcat leaves files there where it is killed
                "-Dspring.devtools.restart.enabled=" + devtools,
                "-cp",
                String.join(File.pathSeparator, path),
                "example.library.LibraryApplication",
                "--server.port=0")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(log.toFile()))
            .start();
    var library = new LibraryProcess(process, log);
    library.awaitStart(1);
    return library;
  }

  /// Waits until the application has started so many times in this process.
  void awaitStart(int count) throws Exception {
    long start = System.nanoTime();
    while (true) {
      List<MatchResult> starts = STARTED.matcher(Files.readString(log)).results().toList();
      if (starts.size() >= count) {
        port = starts.get(count - 1).group(1);
        return;
      }
      boolean late = System.nanoTime() - start > TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
      if (late || process.waitFor(50, TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("no start number " + count + " of:\n" + Files.readString(log));
      }
    }
  }

  /// The body of an answer with status 200.
  String get(String path) throws Exception {
    HttpResponse<String> answer = answer(path);
    assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(200);
    return answer.body();
  }

  Map<String, Object> json(String path) throws Exception {
    return JsonParserFactory.getJsonParser().parseMap(get(path));
  }

  HttpResponse<String> answer(String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
    return client.send(
        (headers.length == 0 ? request : request.headers(headers)).build(),
        BodyHandlers.ofString());
  }

  /// Kills the process as `kill -9` does.
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
    client.close();
  }
}
