/// The disk and the clock, as the engine sees them.
///
/// - **Knows:** files, directories, system calls, interrupts, the system's clock. It is the only
///   package that uses `java.nio.channels` and [java.nio.file.Files].
/// - **Must not know:** what any byte means.
/// - **Entry:** [io.varve.internal.disk.Disk] and [io.varve.internal.disk.Clock]; the real ones are
///   [io.varve.internal.disk.FileDisk] and [io.varve.internal.disk.Clock#SYSTEM].
/// - **Lock order:** disks, files and locks of directories have monitors or locks of their own,
///   which are held across system calls: that of a disk before that of a file, and both after all
///   that [io.varve.internal.lock.LockOrder] names. Nothing above this package is called under
///   them.
@NullMarked
package io.varve.internal.disk;

import org.jspecify.annotations.NullMarked;
