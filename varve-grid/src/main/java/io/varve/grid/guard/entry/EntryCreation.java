package io.varve.grid.guard.entry;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.hash.MurmurHash3;
import org.infinispan.metadata.Metadata;
import org.infinispan.rest.InvocationHelper;
import org.infinispan.rest.NettyRestResponse;
import org.infinispan.rest.cachemanager.RestCacheManager;
import org.infinispan.rest.framework.ContentSource;
import org.infinispan.rest.framework.LookupResult;
import org.infinispan.rest.framework.Method;
import org.infinispan.rest.framework.RestRequest;
import org.infinispan.rest.framework.RestResponse;
import org.infinispan.rest.operations.CacheOperationsHelper;
import org.infinispan.rest.operations.exceptions.NoDataFoundException;
import org.infinispan.security.Security;
import org.infinispan.security.actions.SecurityActions;

/// `POST` of an entry by REST, which stores what is not there.
///
/// (ENTRYPOST-1) It is one change of the cache. Infinispan looked for the entry first and wrote
/// then. So each of several clients was answered that it had stored its own, and what another one
/// had written in between was lost.
public final class EntryCreation {
  private static final String KEY = "cacheKey";

  private final InvocationHelper helper;

  public EntryCreation(InvocationHelper helper) {
    this.helper = helper;
  }

  /// Whether a request is one. It has no permission of its own: the cache asks for that.
  public static boolean takes(RestRequest request, LookupResult found) {
    return request.method() == Method.POST
        && request.getAction() == null
        && found.getVariables().containsKey(KEY);
  }

  public CompletionStage<RestResponse> dispatch(RestRequest request, LookupResult found) {
    request.setVariables(found.getVariables());
    try {
      return request.getSubject() == null
          ? create(request)
          : Security.doAs(request.getSubject(), this::create, request);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletionStage<RestResponse> create(RestRequest request) {
    RestCacheManager<Object> caches = helper.getRestCacheManager();
    AdvancedCache<Object, Object> cache =
        caches.getCache(
            request.variables().get("cacheName"),
            request.keyContentType(),
            request.contentType(),
            request);
    ContentSource contents = request.contents();
    if (contents == null) {
      throw new NoDataFoundException();
    }
    byte[] key = Objects.requireNonNull(request.variables().get(KEY)).getBytes(UTF_8);
    byte[] value = contents.rawContent();
    Metadata metadata =
        CacheOperationsHelper.createMetadata(
            SecurityActions.getCacheConfiguration(cache),
            request.getTimeToLiveSecondsHeader(),
            request.getMaxIdleTimeSecondsHeader());
    // A look first: what is there may be no value of the type that the client sends.
    return caches
        .getPrivilegedInternalEntry(cache, key, /* skipListener= */ true)
        .thenCompose(there ->
            there == null
                ? cache.putIfAbsentAsync(key, value, metadata) // ENTRYPOST-1
                : CompletableFuture.completedFuture(there))
        .thenApply(there -> there == null ? created(request, value) : conflict(request));
  }

  private RestResponse created(RestRequest request, byte[] value) {
    NettyRestResponse.Builder response = helper.newResponse(request);
    response.status(HttpResponseStatus.NO_CONTENT);
    response.header("etag", String.valueOf(MurmurHash3.getInstance().hash(value)));
    return response.build();
  }

  private RestResponse conflict(RestRequest request) {
    return helper.newResponse(request, HttpResponseStatus.CONFLICT, "An entry already exists");
  }
}
