package io.varve.control.internal;

import io.varve.control.ControlException;

/// Why an answer ends before its end.
///
/// @param reason kind of the failure
/// @param message for a reader
public record Failure(ControlException.Reason reason, String message) {}
