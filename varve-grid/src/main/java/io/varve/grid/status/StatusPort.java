package io.varve.grid.status;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.infinispan.commons.dataconversion.internal.Json;

/// Answers probes with the status of a node, over HTTP, from before its start to its end. No client
/// is served here, and no name of a cache is shown: it asks for no user.
///
/// | path      | 200 while                                          | otherwise |
/// |-----------|----------------------------------------------------|-----------|
/// | `/live`   | the node starts and moves, serves, or stops        | 503       |
/// | `/ready`  | it serves clients                                  | 503       |
/// | `/status` | there is a process                                 |           |
public final class StatusPort implements AutoCloseable {
  /// Of connections at one time, for a request to come, and for its answer, in seconds. None is
  /// kept after its answer. The server reads these once, when its classes are loaded.
  private static final Map<String, String> BOUNDS =
      Map.of(
          "jdk.httpserver.maxConnections", "256",
          "sun.net.httpserver.maxIdleConnections", "0",
          "sun.net.httpserver.maxReqTime", "5",
          "sun.net.httpserver.maxRspTime", "30");

  private final HttpServer server;
  private final ExecutorService threads;

  private StatusPort(HttpServer server, ExecutorService threads) {
    this.server = server;
    this.threads = threads;
  }

  /// Begins to answer.
  ///
  /// @param port to listen at, or 0 for one that is free
  /// @throws IOException if it cannot listen there
  public static StatusPort open(String address, int port, NodeStatus status) throws IOException {
    BOUNDS.forEach((name, value) -> System.getProperties().putIfAbsent(name, value));
    HttpServer server = HttpServer.create(new InetSocketAddress(address, port), 0);
    // One for each request: those that come slowly hold up no other.
    ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("varve-status-", 0).factory());
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, status));
    server.start();
    return new StatusPort(server, threads);
  }

  /// The port that it listens at.
  public int port() {
    return server.getAddress().getPort();
  }

  private static void answer(HttpExchange exchange, NodeStatus status) throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().set("Connection", "close");
      String method = exchange.getRequestMethod();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.sendResponseHeaders(405, -1);
        return;
      }
      int code =
          switch (exchange.getRequestURI().getPath()) {
            case "/live" -> status.isAlive() ? 200 : 503;
            case "/ready" -> status.isReady() ? 200 : 503;
            case "/status" -> 200;
            default -> 404;
          };
      byte[] body = json(status.snapshot()).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      if (code == 404 || method.equals("HEAD")) {
        exchange.sendResponseHeaders(code, -1);
      } else {
        exchange.sendResponseHeaders(code, body.length);
        exchange.getResponseBody().write(body);
      }
    }
  }

  private static String json(NodeStatus.Snapshot snapshot) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("phase", snapshot.phase().label());
    all.put("seconds", snapshot.sinceBegin().toMillis() / 1e3);
    all.put("seconds_in_phase", snapshot.inPhase().toMillis() / 1e3);
    all.put("seconds_since_progress", snapshot.sinceProgress().toMillis() / 1e3);
    all.put("stuck", snapshot.isStuck());
    all.putAll(NodeStatus.numbers(snapshot));
    return Json.make(all).toString();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    try {
      threads.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
