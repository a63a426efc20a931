package io.varve.grid.cluster;

import io.varve.grid.NodeJvm;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A node of the cluster under test: `serve` in a process of its own, on a machine of its own.
final class ClusterNode implements AutoCloseable {
  static final int PORT = 11222;

  private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

  private final ClusterNetwork network;
  private final int number;
  private final Path directory;
  private final Path log;
  private final List<String> options;
  private final ClusterAccess access;
  private @Nullable HttpClient client;
  private @Nullable Process process;
  private int starts;

  /// @param directory of all files of the node
  /// @param options of `serve`, in addition to those that set where the node is and which clients
  ///   come in
  ClusterNode(
      ClusterNetwork network,
      int number,
      Path directory,
      ClusterAccess access,
      List<String> options) {
    this.network = network;
    this.number = number;
    this.directory = directory;
    this.log = directory.resolveSibling(directory.getFileName() + ".log");
    this.access = access;
    this.options = options;
  }

  /// Starts the process, and does not wait until it is ready.
  void start() throws IOException {
    start(options);
  }

  /// The same of a node that serves though no others are there.
  ///
  /// @param more options
  void startAlone(String... more) throws IOException {
    Stream<String> alone =
        options.stream().map(option -> option.startsWith("--wait-for=") ? "--wait-for=1" : option);
    start(Stream.concat(alone, Stream.of(more)).toList());
  }

  private void start(List<String> options) throws IOException {
    List<String> command = new ArrayList<>(network.on(number));
    List<String> jvm =
        Stream.of(System.getProperty("varve.cluster.jvm", "").split(" "))
            .filter(option -> !option.isEmpty())
            .toList();
    command.addAll(NodeJvm.command(320, jvm));
    command.addAll(List.of("serve", "--data", directory.toString()));
    command.addAll(List.of("--bind", network.clientAddress(number)));
    command.addAll(List.of("--cluster-bind", network.clusterAddress(number)));
    command.addAll(access.options());
    command.addAll(options);
    starts++;
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()))
            .start();
  }

  /// Waits until the node serves, which it does when it has its share of the entries.
  void awaitReady(Duration timeMax) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + timeMax.toNanos();
    while (readyCount() < starts) {
      if (!process().isAlive()) {
        throw new IOException("node has ended: " + this + "\n" + Files.readString(log));
      }
      if (System.nanoTime() > deadline) {
        throw new IOException("node is not ready in time: " + this + "\n" + Files.readString(log));
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /// Starts whose node was ready once. A start that was broken off before counts from now on.
  private long readyCount() throws IOException {
    try (var lines = Files.lines(log)) {
      return lines.filter(line -> line.startsWith("varve: ready")).count();
    }
  }

  /// Waits until the node, since its last start, has found no others and is a cluster alone; or is
  /// ready.
  void awaitAlone() throws IOException, InterruptedException {
    while (readyCount() < starts && !isAlone()) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private boolean isAlone() throws IOException {
    return sinceStart().contains("|0] (1)");
  }

  /// Waits until the node, since its last start, waits for others before it serves.
  void awaitWaiting() throws IOException, InterruptedException {
    while (!sinceStart().contains("waiting for the nodes that have the other entries")) {
      if (!process().isAlive()) {
        throw new IOException("node has ended: " + this + "\n" + Files.readString(log));
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /// Waits until the node, since its last start, has begun a phase of it, or is past that.
  void awaitPhase(String phase) throws IOException, InterruptedException {
    while (!sinceStart().contains("phase=" + phase) && readyCount() < starts) {
      if (!process().isAlive()) {
        throw new IOException("node has ended: " + this + "\n" + Files.readString(log));
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private String sinceStart() throws IOException {
    String text = Files.readString(log);
    return text.substring(Math.max(0, text.lastIndexOf("ISPN000078")));
  }

  /// Ends the process as a loss of power would, except that the system keeps what it has.
  void kill() throws InterruptedException, IOException {
    process().destroyForcibly().waitFor();
    starts = Math.toIntExact(readyCount());
  }

  /// Asks the process to stop, and waits until it has.
  void stop() throws InterruptedException, IOException {
    process().destroy();
    awaitEnd();
  }

  /// Waits for the end of a process that has been asked to stop.
  void awaitEnd() throws InterruptedException, IOException {
    if (!process().waitFor(2, TimeUnit.MINUTES)) {
      throw new IOException("node does not stop: " + this + "\n" + Files.readString(log));
    }
    starts = Math.toIntExact(readyCount()); // It may have ended before it was ready.
  }

  /// Suspends the process as it is.
  void pause() throws IOException {
    Commands.run("kill", "-STOP", Long.toString(process().pid()));
  }

  void resume() throws IOException {
    Commands.run("kill", "-CONT", Long.toString(process().pid()));
  }

  boolean isAlive() {
    return process != null && process.isAlive();
  }

  private Process process() {
    if (process == null) {
      throw new IllegalStateException("node was not started: " + this);
    }
    return process;
  }

  /// What the node answers to a GET of its management.
  ///
  /// @throws IOException if it does not answer, or with an error
  String get(String path) throws IOException, InterruptedException {
    return answer(HttpRequest.newBuilder(uri(path)).GET());
  }

  /// What the node answers to a POST of its management.
  String post(String path) throws IOException, InterruptedException {
    return answer(HttpRequest.newBuilder(uri(path)).POST(HttpRequest.BodyPublishers.noBody()));
  }

  private URI uri(String path) {
    return URI.create(access.scheme() + "://" + network.clientAddress(number) + ":" + PORT + path);
  }

  /// Made when the node has been ready once, and so has a certificate.
  private HttpClient client() {
    HttpClient known = client;
    if (known == null) {
      HttpClient.Builder builder =
          HttpClient.newBuilder().connectTimeout(ANSWER_MAX).version(HttpClient.Version.HTTP_1_1);
      access.add(builder);
      known = builder.build();
      client = known;
    }
    return known;
  }

  private String answer(HttpRequest.Builder request) throws IOException, InterruptedException {
    access.add(request);
    HttpResponse<String> response =
        client().send(request.timeout(ANSWER_MAX).build(), HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() >= 300) {
      throw new IOException(
          "refused: node=" + this + ", status=" + response.statusCode() + ", " + response.body());
    }
    return response.body();
  }

  String address() {
    return network.clientAddress(number);
  }

  int number() {
    return number;
  }

  Path directory() {
    return directory;
  }

  String log() throws IOException {
    return Files.readString(log);
  }

  @Override
  public String toString() {
    return "node " + number + " at " + network.clientAddress(number);
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroyForcibly();
      try {
        process.waitFor();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    if (client != null) {
      client.close();
    }
  }
}
