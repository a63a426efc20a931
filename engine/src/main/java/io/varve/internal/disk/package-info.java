/// The disk and the clock, as the engine sees them.
///
/// - **Knows:** files, directories, system calls, interrupts, the system's clock. It is the only
///   package that uses `java.nio.channels` and [java.nio.file.Files].
/// - **Must not know:** what any byte means.
/// - **Entry:** [io.varve.internal.disk.Disk] and [io.varve.internal.disk.Clock]; the real ones are
///   [io.varve.internal.disk.FileDisk] and [io.varve.internal.disk.Clock#SYSTEM].
/// - **Lock order:** the monitor of an overlay, then the lock of one of its files; otherwise it
///   takes no two locks.
@NullMarked
package io.varve.internal.disk;

import org.jspecify.annotations.NullMarked;
