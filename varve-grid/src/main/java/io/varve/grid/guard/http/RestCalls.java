package io.varve.grid.guard.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.varve.grid.guard.connection.AsItself;
import io.varve.grid.guard.connection.PrivateField;
import io.varve.grid.guard.entry.Administrators;
import io.varve.grid.guard.entry.CacheDefinition;
import io.varve.grid.guard.entry.EntryCreation;
import io.varve.grid.guard.entry.EntryReading;
import io.varve.grid.guard.entry.FullStores;
import io.varve.grid.guard.entry.NodeHealth;
import io.varve.grid.items.ItemStoreConfiguration;
import io.varve.infinispan.KeyLengthException;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.rest.NettyRestRequest;
import org.infinispan.rest.RestResponseException;
import org.infinispan.rest.RestServer;
import org.infinispan.rest.framework.LookupResult;
import org.infinispan.rest.framework.RestDispatcher;
import org.infinispan.rest.framework.RestRequest;
import org.infinispan.rest.framework.RestResponse;
import org.infinispan.telemetry.InfinispanTelemetry;
import org.jspecify.annotations.Nullable;

/// Carries out the requests of REST, after their users are known, by Infinispan's own dispatcher.
///
/// - REST-1 A write for which the disk has no capacity is answered by 507 (FULL-1). Infinispan
///   answers 500, as it does to a fault of its own.
/// - REST-2 The health that is answered is that of [NodeHealth].
/// - REST-3 To update an index to its schema is for those who may build it. Infinispan restarts the
///   index for each user of any role, and queries fail concurrently.
/// - REST-4 A definition that is not offered is refused ([DefinitionFilter]). It is not read where
///   Infinispan carries nothing out: of such a request it asks for no user.
/// - REST-5 Requests for items are carried out by [ItemRequests], and those for blobs by
///   [BlobRequests].
/// - REST-6 An entry is created by [EntryCreation], and read by [EntryReading].
/// - REST-7 A key that is too long for the store of its cache is answered by 400, with the bound.
///   Infinispan answers 500.
/// - REST-8 A refusal is answered whatever it is wrapped in. Infinispan casts it, which fails, and
///   its client waited without an answer.
final class RestCalls implements RestDispatcher {
  /// Infinispan publishes no way to set it. A version without it does not start.
  private static final VarHandle DISPATCHER =
      PrivateField.of(RestServer.class, "restDispatcher", RestDispatcher.class);

  private final RestDispatcher infinispan;
  private final RestServer server;
  private final NodeHealth health;
  private final DefinitionFilter definitions;
  private final ItemRequests items;
  private final BlobRequests blobs;
  private final EntryCreation creation;
  private final EntryReading reading;

  private RestCalls(RestDispatcher infinispan, RestServer server, long bytesMax) {
    this.infinispan = infinispan;
    this.server = server;
    var global = CacheDefinition.global(server.getCacheManager());
    this.health = new NodeHealth(server, global.module(ItemStoreConfiguration.class).store());
    this.definitions = new DefinitionFilter(global);
    this.items = new ItemRequests(server, bytesMax);
    this.blobs = new BlobRequests(server);
    this.creation =
        new EntryCreation(
            server.getInvocationHelper(),
            AsItself.call(() ->
                GlobalComponentRegistry.componentOf(
                    server.getCacheManager(), InfinispanTelemetry.class)));
    this.reading = new EntryReading(server.getInvocationHelper());
  }

  /// Has a server that has started carry out its requests so. Does nothing the second time.
  ///
  /// @param bytesMax of a request
  static void install(RestServer server, long bytesMax) {
    var dispatcher = (RestDispatcher) DISPATCHER.getVolatile(server);
    if (!(dispatcher instanceof RestCalls)) {
      DISPATCHER.setVolatile(server, new RestCalls(dispatcher, server, bytesMax));
    }
  }

  @Override
  public void initialize() {
    infinispan.initialize();
  }

  @Override
  public LookupResult lookupInvocation(RestRequest request) {
    HttpLogins.isRead(request);
    if (BlobRequests.takes(request)) { // REST-5
      return blobs;
    }
    return ItemRequests.takes(request) ? items : infinispan.lookupInvocation(request);
  }

  @Override
  public CompletionStage<RestResponse> dispatch(RestRequest request) {
    return dispatch(request, lookupInvocation(request));
  }

  @Override
  public CompletionStage<RestResponse> dispatch(RestRequest request, LookupResult found) {
    if (found instanceof OwnRequests own) { // REST-5
      return own.dispatch(request);
    }
    if (found.getInvocation() == null) { // REST-4
      return infinispan.dispatch(request, found);
    }
    if ("updateSchema".equals(request.getAction())) { // REST-3
      try {
        Administrators.require(server.getCacheManager(), request.getSubject());
      } catch (SecurityException e) {
        return CompletableFuture.failedFuture(e);
      }
    }
    if (request instanceof NettyRestRequest ofNetty) { // REST-4
      String refusal = definitions.refusal(ofNetty.getFullHttpRequest());
      if (refusal != null) {
        return CompletableFuture.failedFuture(
            new RestResponseException(HttpResponseStatus.FORBIDDEN, "refused: " + refusal));
      }
    }
    var answer = new CompletableFuture<RestResponse>();
    boolean isRead = EntryReading.takes(request, found);
    CompletionStage<RestResponse> dispatched;
    if (isRead) {
      dispatched = reading.dispatch(request, found); // REST-6
    } else if (EntryCreation.takes(request, found)) {
      dispatched = creation.dispatch(request, found); // REST-6
    } else {
      dispatched = infinispan.dispatch(request, found);
    }
    dispatched.whenComplete((response, failure) ->
        answer(
            answer,
            request,
            isRead && failure == null ? EntryLengths.noted(request, response) : response,
            failure));
    return answer;
  }

  private void answer(
      CompletableFuture<RestResponse> answer,
      RestRequest request,
      RestResponse response,
      @Nullable Throwable failure) {
    if (failure != null) {
      answer.completeExceptionally(answered(failure));
      return;
    }
    try {
      answer.complete(health.answer(request, response)); // REST-2
    } catch (RuntimeException e) {
      answer.completeExceptionally(e);
    }
  }

  /// REST-1, REST-7, REST-8
  private static Throwable answered(Throwable failure) {
    var tooLong = FullStores.cause(failure, KeyLengthException.class);
    if (tooLong != null) {
      return new RestResponseException(HttpResponseStatus.BAD_REQUEST, tooLong.getMessage());
    }
    var full = FullStores.cause(failure, FullStores.Refused.class);
    if (full != null) {
      return new RestResponseException(HttpResponseStatus.INSUFFICIENT_STORAGE, full);
    }
    var refusal = FullStores.cause(failure, RestResponseException.class);
    return refusal == null ? failure : refusal;
  }
}
