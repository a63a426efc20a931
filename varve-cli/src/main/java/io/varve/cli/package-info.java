/// The commands of `varve`, one class each. A command reads its options, asks [io.varve.cli.Stores]
/// for the store, and leaves the work to the packages below: `console`, `transfer`, `shell`,
/// `demo`. Entry: [io.varve.cli.Main].
@NullMarked
package io.varve.cli;

import org.jspecify.annotations.NullMarked;
