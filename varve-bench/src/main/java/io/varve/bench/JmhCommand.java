package io.varve.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Runs the JMH benchmarks of the inner parts. JMH's own command has every other option.
@Command(
    name = "jmh",
    mixinStandardHelpOptions = true,
    description = "Measures inner parts of Varve with JMH.")
final class JmhCommand implements Callable<Integer> {
  private static final TimeValue QUICK = TimeValue.milliseconds(50);

  @Parameters(
      arity = "0..*",
      paramLabel = "PATTERN",
      description = "Which benchmarks, as regular expressions (default: all).")
  private List<String> patterns = List.of();

  @Option(names = "--csv", paramLabel = "FILE", description = "Also write the results here.")
  private @Nullable Path csv;

  @Option(names = "--quick", description = "A smoke run, in this JVM.")
  private boolean quick;

  @Override
  public Integer call() throws RunnerException {
    ChainedOptionsBuilder options = new OptionsBuilder().shouldFailOnError(true);
    patterns.forEach(options::include);
    if (csv != null) {
      options.resultFormat(ResultFormatType.CSV).result(csv.toString());
    }
    if (quick) {
      options.forks(0).warmupIterations(0).measurementIterations(1).measurementTime(QUICK);
    }
    var _ = new Runner(options.build()).run();
    return 0;
  }
}
