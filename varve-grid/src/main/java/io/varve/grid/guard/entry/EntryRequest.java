package io.varve.grid.guard.entry;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.rest.InvocationHelper;
import org.infinispan.rest.framework.LookupResult;
import org.infinispan.rest.framework.RestRequest;
import org.infinispan.rest.framework.RestResponse;
import org.infinispan.security.Security;

/// Carries out requests of REST for one entry, as the user of each. They have no permission of
/// their own: the cache asks for that.
///
/// **Threads:** any.
public abstract class EntryRequest {
  private static final String CACHE = "cacheName";
  private static final String KEY = "cacheKey";

  final InvocationHelper helper;

  EntryRequest(InvocationHelper helper) {
    this.helper = helper;
  }

  /// Whether a request is for an entry, and for no other action on it.
  static boolean isForEntry(RestRequest request, LookupResult found) {
    return request.getAction() == null && found.getVariables().containsKey(KEY);
  }

  static String cacheName(RestRequest request) {
    return Objects.requireNonNull(request.variables().get(CACHE));
  }

  static byte[] key(RestRequest request) {
    return Objects.requireNonNull(request.variables().get(KEY)).getBytes(UTF_8);
  }

  /// Carries out a request that was found to be one.
  public final CompletionStage<RestResponse> dispatch(RestRequest request, LookupResult found) {
    request.setVariables(found.getVariables());
    try {
      return request.getSubject() == null
          ? perform(request)
          : Security.doAs(request.getSubject(), this::perform, request);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  abstract CompletionStage<RestResponse> perform(RestRequest request);
}
