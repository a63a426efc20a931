package io.varve.cli;

import io.varve.cli.console.CommandException;
import io.varve.cli.console.ExitCode;
import io.varve.cli.console.Stdio;
import io.varve.cli.demo.Demo;
import io.varve.cli.demo.DemoOptions;
import io.varve.cli.demo.SourceFinder;
import io.varve.cli.transfer.BatchLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "demo",
    description =
        "Load and index the JDK's sources, kill that with SIGKILL half-way, recover, check.",
    footer =
        """

        Each file is one transaction over three spaces: its content (files), an entry for each of
        its words (words), its figures (stats). A process of its own loads with many threads and
        prints which commits have returned; it is killed, and what it printed must be there, whole.
        The store stays in --dir, for the other commands; another run replaces it. Of the JDK's
        sources it takes about five times their size, most of it the index and the log.
        Exit code 1 if a check fails.

        Examples:
          varve demo
          varve demo --source ~/src/project --dir /tmp/demo --words class,import\
        """)
final class DemoCommand implements Callable<Integer> {
  private final Stores stores;

  @Spec @Nullable CommandSpec spec;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Directory of the demo's store. Default: ${DEFAULT-VALUE}.",
      defaultValue = "varve-demo")
  Path directory = Path.of("varve-demo");

  @Option(
      names = "--source",
      paramLabel = "PATH",
      description = "A directory or zip of text files. Default: src.zip of the JDK.")
  @Nullable Path source;

  @Option(
      names = "--threads",
      paramLabel = "COUNT",
      description = "Transactions under way at a time. Default: ${DEFAULT-VALUE}.",
      defaultValue = "64")
  int threads;

  @Option(
      names = "--seconds-max",
      paramLabel = "COUNT",
      description = "Load less if it would take longer than about this. Default: ${DEFAULT-VALUE}.",
      defaultValue = "120")
  int secondsMax;

  @Option(
      names = "--words",
      paramLabel = "WORD",
      split = ",",
      description = "Words to look for, two or more. Default: synchronized,volatile.")
  List<String> words = List.of("synchronized", "volatile");

  DemoCommand(Stores stores) {
    this.stores = stores;
  }

  @Override
  public Integer call() throws IOException {
    InheritedOptions.requireNone(spec, "its store is the one of --dir, with options of its own");
    if (threads < 1 || secondsMax < 1 || words.size() < 2) {
      throw CommandException.usage("--threads and --seconds-max must be 1 or more, --words two");
    }
    CommandException.requireThreads(threads, BatchLoader.LANES_MAX);
    Stdio stdio = stores.stdio();
    Path input = source;
    if (input == null) {
      SourceFinder.Found found = SourceFinder.find();
      stdio.println("Input: " + found.remark());
      input = found.path();
    } else if (!Files.exists(input)) {
      throw CommandException.usage("no such file or directory: " + input);
    }
    var options = new DemoOptions(directory, input, threads, secondsMax, words);
    return Demo.run(options, stdio) ? ExitCode.OK : ExitCode.NEGATIVE;
  }
}
