package io.varve.grid.guard.connection;

import io.netty.handler.codec.http.HttpResponseStatus;

/// Why a request is not carried out.
///
/// @param reason in one line, with what to do
public record Refusal(HttpResponseStatus status, String reason) {}
