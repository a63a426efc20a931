package io.varve.test;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Another process, which runs a main class of these tests and talks in lines.
final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final BufferedReader lines;

  private ChildJvm(Process process) {
    this.process = process;
    this.lines =
        new BufferedReader(
            new java.io.InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static ChildJvm start(Class<?> main, String... arguments) throws IOException {
    return start(Map.of(), main, arguments);
  }

  /// @param environment variables that the process has in addition to those of this one
  static ChildJvm start(Map<String, String> environment, Class<?> main, String... arguments)
      throws IOException {
    return start(environment, List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"), main, arguments);
  }

  /// @param environment variables that the process has in addition to those of this one
  /// @param options of its JVM
  static ChildJvm start(
      Map<String, String> environment, List<String> options, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-XX:+UseSerialGC", "-ea"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    return new ChildJvm(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  long pid() {
    return process.pid();
  }

  /// The next line, or null at the end. A last line without its end may be cut short: it is not
  /// given.
  @Nullable String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = lines.read(); c >= 0; c = lines.read()) {
      if (c == '\n') {
        return line.toString();
      }
      line.append((char) c);
    }
    return null;
  }

  /// SIGKILL, where there are signals. What the child wrote can still be read, which it could not
  /// if [Process] itself were asked.
  void kill() {
    process.toHandle().destroyForcibly();
  }

  /// SIGTERM, where there are signals: the process runs its shutdown hooks and ends.
  void terminate() {
    process.toHandle().destroy();
  }

  /// Waits for the end of the process.
  int exitCode() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    lines.close();
  }
}
