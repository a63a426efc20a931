/// The interactive shell: reads lines with completion and history and hands them to the commands.
/// Entry: [io.varve.cli.shell.Shell].
@NullMarked
package io.varve.cli.shell;

import org.jspecify.annotations.NullMarked;
