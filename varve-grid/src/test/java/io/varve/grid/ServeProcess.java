package io.varve.grid;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A node in a process of its own, started by the command.
///
/// @param port that all protocols share
record ServeProcess(Process process, int port) implements AutoCloseable {
  private static final Pattern READY = Pattern.compile("varve: ready: https?://[^ ]*:(\\d+), .*");

  static ServeProcess start(Path data, String... options) throws Exception {
    Path log = data.resolveSibling("serve.log");
    Process process = run(log, options(data, options));
    Matcher ready = READY.matcher("");
    while (!ready.reset(Files.readString(log)).find()) {
      if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
        throw new AssertionError("the node ended: " + Files.readString(log));
      }
    }
    return new ServeProcess(process, Integer.parseInt(ready.group(1)));
  }

  private static List<String> options(Path data, String... options) {
    List<String> all = new ArrayList<>(List.of("serve", "--port", "0", "--data", data.toString()));
    all.addAll(List.of(options));
    return all;
  }

  /// Runs the command; what it prints goes to a file.
  static Process run(Path log, List<String> arguments) throws IOException {
    List<String> command = NodeJvm.command(512, List.of());
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectOutput(log.toFile())
        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /// Ends the node as a service manager does; gives its exit code.
  int terminate() throws InterruptedException {
    process.destroy();
    return process.waitFor();
  }

  @Override
  public void close() {
    kill();
  }
}
