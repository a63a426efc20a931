/// Events of the JDK's Flight Recorder.
///
/// - **Knows:** what each event is called, which facts it has in which units, and from which
///   duration it is recorded unless a recording says otherwise.
/// - **Must not know:** where anything happens; the caller tells.
/// - **Entry:** the `start` of each event, which gives null while nobody records it: then nothing
///   is made, asked or measured, and the test for it is folded away by the compiler.
/// - **Lock order:** takes no locks.
@NullMarked
package io.varve.internal.event;

import org.jspecify.annotations.NullMarked;
