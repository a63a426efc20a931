package io.varve.grid.guard;

import io.netty.handler.codec.http.HttpResponseStatus;

/// Why a request is not carried out.
///
/// @param reason in one line, with what to do
record Refusal(HttpResponseStatus status, String reason) {}
