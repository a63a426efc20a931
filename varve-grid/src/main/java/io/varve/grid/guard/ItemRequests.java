package io.varve.grid.guard;

import io.netty.handler.codec.http.FullHttpRequest;
import io.varve.grid.items.ItemResource;
import io.varve.grid.items.ItemResource.Answer;
import io.varve.grid.items.ItemStoreConfiguration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.infinispan.rest.NettyRestRequest;
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

/// Requests of REST for items, which Infinispan does not know: their users are asked for as those
/// of others are.
///
/// - ITEMREQUEST-1 To read items is for those who may read any cache as a whole, and to change them
///   for those who may so write.
/// - ITEMREQUEST-2 Each is carried out on a virtual thread of its own: it waits for the disk, and
///   for other requests.
final class ItemRequests implements Invocation, LookupResult {
  private final RestServer server;
  private final ItemResource items;
  private final boolean isClustered;

  /// @param bytesMax of a request, and of an answer
  ItemRequests(RestServer server, long bytesMax) {
    this.server = server;
    var global = CacheDefinition.global(server.getCacheManager());
    this.items = new ItemResource(global.module(ItemStoreConfiguration.class).store(), bytesMax);
    this.isClustered = global.isClustered();
  }

  /// Whether a request is for items.
  static boolean takes(RestRequest request) {
    return request instanceof NettyRestRequest ofNetty
        && ItemResource.takes(ofNetty.getFullHttpRequest().uri());
  }

  /// Carries out a request whose user is known.
  CompletionStage<RestResponse> dispatch(RestRequest request) {
    FullHttpRequest http = ((NettyRestRequest) request).getFullHttpRequest();
    var answer = new CompletableFuture<RestResponse>();
    Thread.ofVirtual()
        .name("varve-items")
        .start(() -> {
          try {
            answer.complete(response(request, answer(request, http)));
          } catch (Throwable e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  private Answer answer(RestRequest request, FullHttpRequest http) {
    Administrators.require(
        server.getCacheManager(),
        request.getSubject(),
        ItemResource.isRead(http.method())
            ? AuthorizationPermission.BULK_READ
            : AuthorizationPermission.BULK_WRITE); // ITEMREQUEST-1
    return isClustered
        ? ItemResource.ofCluster()
        : items.answer(
            new ItemResource.Request(http.method(), http.uri(), http.headers(), http.content()));
  }

  private RestResponse response(RestRequest request, Answer answer) {
    NettyRestResponse.Builder response = server.getInvocationHelper().newResponse(request);
    response.status(answer.status());
    answer.headers().forEach(response::header);
    if (answer.body() != null) {
      response.entity(answer.body());
    }
    return response.build();
  }

  @Override
  public Invocation getInvocation() {
    return this;
  }

  @Override
  public Map<String, String> getVariables() {
    return Map.of();
  }

  @Override
  public Status getStatus() {
    return Status.FOUND;
  }

  @Override
  public Set<Method> methods() {
    return Set.of(Method.values());
  }

  @Override
  public @Nullable String getAction() {
    return null;
  }

  @Override
  public Set<String> paths() {
    return Set.of();
  }

  @Override
  public Function<RestRequest, CompletionStage<RestResponse>> handler() {
    return this::dispatch;
  }

  @Override
  public boolean anonymous() {
    return false;
  }

  @Override
  public boolean deprecated() {
    return false;
  }

  @Override
  public @Nullable AuthorizationPermission permission() {
    return null;
  }

  @Override
  public @Nullable AuditContext auditContext() {
    return null;
  }

  @Override
  public boolean requireCacheManagerStart() {
    return true;
  }
}
