package io.varve.helidon;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The example service, `examples/helidon`, in a process of its own.
final class ServiceProcess implements AutoCloseable {
  private static final Pattern STARTED =
      Pattern.compile("Server started on http://localhost:(\\d+)");
  private static final long START_SECONDS_MAX = 240;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final Path log;
  private final String port;

  /// Starts the service, and waits until it serves.
  ///
  /// @param directory that the process works in: what it keeps is there
  ServiceProcess(Path directory) throws Exception {
    log = directory.resolve("service.log");
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dserver.port=0",
                "-cp",
                System.getProperty("java.class.path"),
                "io.helidon.Main")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(log.toFile()))
            .start();
    port = awaitPort();
  }

  private String awaitPort() throws Exception {
    long start = System.nanoTime();
    while (true) {
      Matcher started = STARTED.matcher(log());
      if (started.find()) {
        return started.group(1);
      }
      boolean late = System.nanoTime() - start > TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
      if (late || process.waitFor(50, TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("the service did not start:\n" + log());
      }
    }
  }

  /// What the service has printed.
  String log() throws Exception {
    return Files.readString(log, StandardCharsets.ISO_8859_1);
  }

  /// The body of an answer that reports success.
  String send(String method, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(path + ": " + answer.body() + log()).isBetween(200, 204);
    return answer.body();
  }

  /// Ends the process as an operator does.
  void stop() throws Exception {
    process.destroy();
    process.waitFor();
  }

  /// Kills the process as `kill -9` does.
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
    client.close();
  }
}
