/// Events of the JDK's Flight Recorder.
///
/// - **Knows:** what each event is called, which facts it has in which units, and from which
///   duration it is recorded unless a recording says otherwise.
/// - **Must not know:** where anything happens; the caller tells.
/// - **Entry:** [Events], which gives null while nobody records an event: then nothing is made,
///   asked or measured.
/// - **Lock order:** takes no locks.
@NullMarked
package io.varve.internal.event;

import org.jspecify.annotations.NullMarked;
