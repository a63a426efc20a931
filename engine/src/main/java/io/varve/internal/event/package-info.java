/// Events of the JDK's Flight Recorder.
///
/// - **Knows:** what each event is called, its facts and their units, and from which duration it is
///   recorded unless a recording sets another.
/// - **Must not know:** where anything happens; the caller passes it.
/// - **Entry:** [Events], which gives null while nobody records an event: then nothing is made,
///   asked or measured.
/// - **Lock order:** takes no locks.
@NullMarked
package io.varve.internal.event;

import org.jspecify.annotations.NullMarked;
