/// The demonstration: loads a source tree from many threads in a process of its own, and kills that
/// process. It opens the store again, checks it against the source, and asks it questions. Sees the
/// store only as a user would. Entry: [io.varve.cli.demo.Demo].
@NullMarked
package io.varve.cli.demo;

import org.jspecify.annotations.NullMarked;
