package io.varve.cli;

import io.varve.cli.console.Stdio;
import io.varve.cli.transfer.JsonLine;
import picocli.CommandLine.Option;

/// Prints a result as a sentence for people, or as an object for programs.
final class ResultOptions {
  @Option(names = "--json", description = "As a JSON object; several are JSON Lines.")
  boolean json;

  void print(Stdio stdio, String sentence, JsonLine object) {
    stdio.println(json ? object.text() : sentence);
  }
}
