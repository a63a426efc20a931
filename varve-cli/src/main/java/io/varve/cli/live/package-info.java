/// What an open store does, as it does it: figures of an interval as a line, as a screen of a
/// terminal, and as JSON. Knows figures; knows nothing of the process that has the store open.
///
/// Entry classes: [io.varve.cli.live.Watcher], [io.varve.cli.live.TopTerminal].
@NullMarked
package io.varve.cli.live;

import org.jspecify.annotations.NullMarked;
