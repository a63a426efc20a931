package io.varve.grid.guard.http;

import io.varve.grid.guard.entry.Administrators;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.infinispan.rest.NettyRestResponse;
import org.infinispan.rest.RestServer;
import org.infinispan.rest.framework.Invocation;
import org.infinispan.rest.framework.LookupResult;
import org.infinispan.rest.framework.Method;
import org.infinispan.rest.framework.RestRequest;
import org.infinispan.rest.framework.RestResponse;
import org.infinispan.security.AuditContext;
import org.infinispan.security.AuthorizationPermission;
import org.jspecify.annotations.Nullable;

/// Requests of REST that Infinispan does not know: their users are asked for as those of others
/// are.
///
/// (OWNREQUEST-1) Each is carried out on a virtual thread of its own: it waits for the disk, and
/// for other requests.
abstract class OwnRequests implements Invocation, LookupResult {
  private final RestServer server;
  private final String threads;

  /// @param threads their name
  OwnRequests(RestServer server, String threads) {
    this.server = server;
    this.threads = threads;
  }

  /// Carries out a request whose user is known.
  ///
  /// @throws Exception why it is not carried out; a [SecurityException] if the user may not
  abstract RestResponse answer(RestRequest request) throws Exception;

  /// Carries out a request whose user is known.
  final CompletionStage<RestResponse> dispatch(RestRequest request) {
    var answer = new CompletableFuture<RestResponse>();
    Thread.ofVirtual()
        .name(threads)
        .start(() -> { // OWNREQUEST-1
          try {
            answer.complete(answer(request));
          } catch (Throwable e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  /// Returns if the user of a request has a right to all caches.
  final void require(RestRequest request, AuthorizationPermission right) {
    Administrators.require(server.getCacheManager(), request.getSubject(), right);
  }

  /// An answer.
  ///
  /// @param body null if there is none
  final RestResponse response(
      RestRequest request, int status, Map<String, String> headers, @Nullable Object body) {
    NettyRestResponse.Builder response = server.getInvocationHelper().newResponse(request);
    response.status(status);
    headers.forEach(response::header);
    if (body != null) {
      response.entity(body);
    }
    return response.build();
  }

  @Override
  public final Invocation getInvocation() {
    return this;
  }

  @Override
  public final Map<String, String> getVariables() {
    return Map.of();
  }

  @Override
  public final Status getStatus() {
    return Status.FOUND;
  }

  @Override
  public final Set<Method> methods() {
    return Set.of(Method.values());
  }

  @Override
  public final @Nullable String getAction() {
    return null;
  }

  @Override
  public final Set<String> paths() {
    return Set.of();
  }

  @Override
  public final Function<RestRequest, CompletionStage<RestResponse>> handler() {
    return this::dispatch;
  }

  @Override
  public final boolean anonymous() {
    return false;
  }

  @Override
  public final boolean deprecated() {
    return false;
  }

  @Override
  public final @Nullable AuthorizationPermission permission() {
    return null;
  }

  @Override
  public final @Nullable AuditContext auditContext() {
    return null;
  }

  @Override
  public final boolean requireCacheManagerStart() {
    return true;
  }
}
