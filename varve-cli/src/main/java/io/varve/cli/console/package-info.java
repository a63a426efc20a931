/// What a command prints and how: exit codes and errors, the standard streams, progress, figures,
/// bytes as text, child processes, and the end of the process by a signal. Knows nothing of stores.
/// Start at [io.varve.cli.console.Stdio].
@NullMarked
package io.varve.cli.console;

import org.jspecify.annotations.NullMarked;
