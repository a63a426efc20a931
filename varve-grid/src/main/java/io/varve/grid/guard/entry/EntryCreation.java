package io.varve.grid.guard.entry;

import io.netty.handler.codec.http.HttpResponseStatus;
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
import org.infinispan.security.actions.SecurityActions;
import org.infinispan.telemetry.InfinispanSpan;
import org.infinispan.telemetry.InfinispanSpanAttributes;
import org.infinispan.telemetry.InfinispanTelemetry;

/// `POST` of an entry by REST, which stores what is not there.
///
/// (ENTRYPOST-1) It is one change of the cache. Infinispan looked for the entry first and wrote
/// then. So each of several clients was answered that it had stored its own, and what another one
/// had written in between was lost.
///
/// (ENTRYPOST-2) Each has a span of tracing, with the name that Infinispan gives it.
public final class EntryCreation extends EntryRequest {
  private static final String SPAN = "putValueToCache";

  private final InfinispanTelemetry telemetry;

  public EntryCreation(InvocationHelper helper, InfinispanTelemetry telemetry) {
    super(helper);
    this.telemetry = telemetry;
  }

  /// Whether a request is one.
  public static boolean takes(RestRequest request, LookupResult found) {
    return request.method() == Method.POST && isForEntry(request, found);
  }

  @Override
  CompletionStage<RestResponse> perform(RestRequest request) {
    InfinispanSpanAttributes cache =
        helper.getRestCacheManager().getInfinispanSpanAttributes(cacheName(request), request);
    InfinispanSpan<RestResponse> span = telemetry.startTraceRequest(SPAN, cache, request);
    CompletionStage<RestResponse> created;
    try (var _ = span.makeCurrent()) { // ENTRYPOST-2
      created = create(request);
    } catch (RuntimeException e) {
      created = CompletableFuture.failedFuture(e);
    }
    created.whenComplete(span);
    return created;
  }

  private CompletionStage<RestResponse> create(RestRequest request) {
    RestCacheManager<Object> caches = helper.getRestCacheManager();
    AdvancedCache<Object, Object> cache =
        caches.getCache(
            cacheName(request), request.keyContentType(), request.contentType(), request);
    ContentSource contents = request.contents();
    if (contents == null) {
      throw new NoDataFoundException();
    }
    byte[] key = key(request);
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
