package io.varve.cli;

import io.varve.cli.console.ExitCode;
import io.varve.cli.manual.FishCompletion;
import io.varve.cli.manual.ManualPage;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "completion",
    description = "Print what a shell completes this command with, or the manual page.",
    footer =
        """

        Examples:
          varve completion bash > ~/.local/share/bash-completion/completions/varve
          varve completion zsh >> ~/.zshrc
          varve completion fish > ~/.config/fish/completions/varve.fish
          varve completion man > ~/.local/share/man/man1/varve.1\
        """)
final class CompletionCommand implements Callable<Integer> {
  /// The shell or reader that the text is for.
  enum Kind {
    BASH,
    ZSH,
    FISH,
    MAN
  }

  private final Stores stores;
  private final Supplier<CommandLine> commands;

  @Parameters(index = "0", paramLabel = "KIND", description = "bash, zsh, fish, or man.")
  Kind kind = Kind.BASH;

  /// @param commands makes all commands
  CompletionCommand(Stores stores, Supplier<CommandLine> commands) {
    this.stores = stores;
    this.commands = commands;
  }

  @Override
  public Integer call() {
    CommandLine all = commands.get();
    String text =
        switch (kind) {
          case BASH, ZSH -> AutoComplete.bash("varve", all); // asks zsh for its ways of bash
          case FISH -> FishCompletion.of(all);
          case MAN -> ManualPage.of(all);
        };
    stores.stdio().println(text.stripTrailing());
    return ExitCode.OK;
  }
}
