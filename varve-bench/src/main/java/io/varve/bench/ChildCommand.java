package io.varve.bench;

import io.varve.bench.engine.EngineType;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.report.RowSink;
import io.varve.bench.table.Plan;
import io.varve.bench.table.Table;
import io.varve.bench.table.TableRun;
import io.varve.bench.table.Tables;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// One trial of one engine, in the JVM that [ChildJvm] started.
@Command(name = ChildCommand.NAME, hidden = true)
final class ChildCommand implements Runnable {
  static final String NAME = "child";

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "TABLE")
  private String table = "";

  @Parameters(index = "1", paramLabel = "ENGINE")
  private String engine = "";

  @Option(names = "--dir", required = true)
  private Path directory = Path.of("");

  @Option(names = "--stage", required = true)
  private int stage;

  @Option(names = "--acknowledged", required = true)
  private long acknowledged;

  @Mixin private PlanOptions planOptions;

  @Override
  public void run() {
    var messages = new ChildMessages(spec.commandLine().getOut(), acknowledged);
    Table named = Tables.named(table);
    EngineType type = named.engine(engine);
    Plan plan = planOptions.over(named.plan());
    RowSink rows = RowSink.of(table, engine, messages::row);
    named
        .stages()
        .get(stage)
        .run(new TableRun(type, plan, new ScratchDirectory(directory), rows, messages));
  }
}
