package io.varve.cli.console;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A Java process with the same JDK and the same classes as this one.
public final class ChildJvm {
  private ChildJvm() {}

  /// What starts the `main` of `type`. Its standard error is that of this process.
  public static ProcessBuilder of(Class<?> type, List<String> jvmOptions, List<String> arguments) {
    var command = new ArrayList<String>();
    command.add(
        ProcessHandle.current()
            .info()
            .command()
            .orElseGet(() -> Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(jvmOptions);
    Module module = type.getModule();
    if (module.isNamed()) {
      command.addAll(List.of("-p", System.getProperty("jdk.module.path")));
      command.addAll(List.of("-m", module.getName() + "/" + type.getName()));
    } else {
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), type.getName()));
    }
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .directory(new File("").getAbsoluteFile())
        .redirectError(ProcessBuilder.Redirect.INHERIT);
  }
}
