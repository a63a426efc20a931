/// The `varve` command: one class per subcommand, [Main] at the head.
@NullMarked
package io.varve.cli;

import org.jspecify.annotations.NullMarked;
