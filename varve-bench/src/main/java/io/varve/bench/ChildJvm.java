package io.varve.bench;

import io.varve.bench.engine.EngineType;
import io.varve.bench.load.WrongAnswerException;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.report.Row;
import io.varve.bench.table.Collector;
import io.varve.bench.table.Plan;
import io.varve.bench.table.Table;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A JVM of its own for one trial of one engine, so that no engine runs code that was compiled for
/// another. All get the same flags.
///
/// @param heap the size of its heap
/// @param main the class that it starts with
/// @param rows takes the figures that it prints
record ChildJvm(String heap, Class<?> main, Consumer<Row> rows) {
  /// The exit code of a child that found a wrong answer.
  static final int WRONG_ANSWER_EXIT_CODE = 3;

  /// A child that takes longer is taken to hang, and killed.
  private static final int STAGE_MINUTES_MAX = 90;

  /// The flags of every child: those of this JVM, which `jvm.options` names, and a heap whose
  /// memory is taken at the start. So no collection waits for the system to hand out its pages. A
  /// JVM takes one collector: that of the table replaces that of this JVM.
  static List<String> flags(String heap, Collector collector) {
    List<String> flags = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
    flags.removeIf(flag -> flag.matches("-XX:\\+Use\\w+GC"));
    flags.addAll(List.of("-Xms" + heap, "-Xmx" + heap, collector.flag(), "-XX:+AlwaysPreTouch"));
    return flags;
  }

  /// A child failed, with something other than a wrong answer.
  static final class FailedException extends Exception {
    private static final long serialVersionUID = 1L;

    FailedException(String message) {
      super(message);
    }
  }

  /// Runs one stage of a trial.
  ///
  /// @return what the child has reported last as acknowledged, or else `acknowledged`
  /// @throws WrongAnswerException if the engine gave a wrong answer
  long run(
      Table table,
      int stage,
      EngineType type,
      Plan plan,
      ScratchDirectory directory,
      long acknowledged)
      throws FailedException {
    List<String> arguments = new ArrayList<>();
    arguments.add(table.label());
    arguments.add(type.label());
    arguments.add("--dir=" + directory.path());
    arguments.add("--stage=" + stage);
    arguments.add("--acknowledged=" + acknowledged);
    arguments.addAll(PlanOptions.arguments(plan));
    var conversation = new Conversation(acknowledged);
    Collector collector = table.stages().get(stage).collector();
    int exitCode = execute(collector, arguments, conversation);
    if (exitCode == WRONG_ANSWER_EXIT_CODE) {
      throw new WrongAnswerException("wrong answers end the run: engine=" + type.label());
    }
    if (exitCode != 0 && !conversation.killed) {
      throw new FailedException("exit code " + exitCode);
    }
    return conversation.acknowledged;
  }

  private int execute(Collector collector, List<String> arguments, Conversation conversation) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags(heap, collector));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.add(ChildCommand.NAME);
    command.addAll(arguments);
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      // A child is not to outlive a parent that was stopped. To kill one that has ended does
      // nothing.
      var stop = new Thread(process.toHandle()::destroyForcibly);
      Runtime.getRuntime().addShutdownHook(stop);
      var _ =
          process
              .onExit()
              .orTimeout(STAGE_MINUTES_MAX, TimeUnit.MINUTES)
              .exceptionally(hung -> {
                process.toHandle().destroyForcibly();
                return process;
              });
      try (BufferedReader output = process.inputReader()) {
        output.lines().forEach(line -> conversation.take(line, process));
        return process.waitFor();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while a child ran", e);
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What a child reports in its lifetime.
  private final class Conversation {
    private long acknowledged;
    private boolean killed;

    Conversation(long acknowledged) {
      this.acknowledged = acknowledged;
    }

    void take(String line, Process process) {
      if (line.startsWith(ChildMessages.ROW)) {
        rows.accept(Row.parse(line.substring(ChildMessages.ROW.length())));
      } else if (line.startsWith(ChildMessages.ACKNOWLEDGED)) {
        acknowledged = Long.parseLong(line.substring(ChildMessages.ACKNOWLEDGED.length()));
      } else if (line.equals(ChildMessages.KILL)) {
        killed = true;
        // SIGKILL; through the handle, since the process itself would also close its output.
        process.toHandle().destroyForcibly();
      } else {
        System.err.println(line);
      }
    }
  }
}
