package io.varve.cdi;

import jakarta.interceptor.Interceptor;

/// Where the interceptors are among those of a call.
final class CallOrder {
  /// Outside of transactions, which are at `PLATFORM_BEFORE + 200`. So a hit begins none. What a
  /// call removes that begins its transaction is removed once others can read what it committed.
  static final int CACHES = Interceptor.Priority.PLATFORM_BEFORE + 100;

  private CallOrder() {}
}
