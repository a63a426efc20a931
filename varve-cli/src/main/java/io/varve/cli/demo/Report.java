package io.varve.cli.demo;

import io.varve.cli.console.Stdio;

/// What the user reads: titled steps with indented lines, each shown as soon as it is known.
record Report(Stdio stdio) {
  void title(String text) {
    stdio.println("");
    stdio.println(text);
    stdio.flush();
  }

  void say(String line) {
    stdio.println("   " + line);
    stdio.flush();
  }
}
