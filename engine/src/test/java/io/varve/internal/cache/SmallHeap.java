package io.varve.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs programs that use up their memory in a process of their own.
final class SmallHeap {
  /// Of the process.
  static final int MIB = 24;

  private SmallHeap() {}

  /// Runs the main method of a class, which has to end with 0.
  static void run(Class<?> program, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx" + MIB + "m", "-XX:+UseSerialGC", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(program.getName());
    command.addAll(List.of(arguments));
    Process child = new ProcessBuilder(command).inheritIO().start();
    try {
      assertThat(child.waitFor(100, TimeUnit.SECONDS)).isTrue();
      assertThat(child.exitValue()).isZero();
    } finally {
      child.destroyForcibly();
    }
  }
}
