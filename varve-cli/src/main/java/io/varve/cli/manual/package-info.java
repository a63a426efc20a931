/// The commands as others want them described: a shell for its completion, `man` for its page.
/// Knows picocli's model of the commands, and no command. Enter at
/// [io.varve.cli.manual.FishCompletion] and [io.varve.cli.manual.ManualPage].
@NullMarked
package io.varve.cli.manual;

import org.jspecify.annotations.NullMarked;
