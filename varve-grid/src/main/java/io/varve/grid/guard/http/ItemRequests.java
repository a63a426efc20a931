package io.varve.grid.guard.http;

import io.netty.handler.codec.http.FullHttpRequest;
import io.varve.grid.guard.entry.CacheDefinition;
import io.varve.grid.items.ItemResource;
import io.varve.grid.items.ItemResource.Answer;
import io.varve.grid.items.ItemStoreConfiguration;
import org.infinispan.rest.NettyRestRequest;
import org.infinispan.rest.RestServer;
import org.infinispan.rest.framework.RestRequest;
import org.infinispan.rest.framework.RestResponse;
import org.infinispan.security.AuthorizationPermission;

/// Requests of REST for items.
///
/// (ITEMREQUEST-1) To read items is for those who may read any cache as a whole, and to change them
/// for those who may so write.
final class ItemRequests extends OwnRequests {
  private final ItemResource items;
  private final boolean isClustered;

  /// @param bytesMax of a request, and of an answer
  ItemRequests(RestServer server, long bytesMax) {
    super(server, "varve-items");
    var global = CacheDefinition.global(server.getCacheManager());
    this.items = new ItemResource(global.module(ItemStoreConfiguration.class).store(), bytesMax);
    this.isClustered = global.isClustered();
  }

  /// Whether a request is for items.
  static boolean takes(RestRequest request) {
    return request instanceof NettyRestRequest ofNetty
        && ItemResource.takes(ofNetty.getFullHttpRequest().uri());
  }

  @Override
  RestResponse answer(RestRequest request) {
    FullHttpRequest http = ((NettyRestRequest) request).getFullHttpRequest();
    require(
        request,
        ItemResource.isRead(http.method())
            ? AuthorizationPermission.BULK_READ
            : AuthorizationPermission.BULK_WRITE); // ITEMREQUEST-1
    Answer answer =
        isClustered
            ? ItemResource.ofCluster()
            : items.answer(
                new ItemResource.Request(
                    http.method(), http.uri(), http.headers(), http.content()));
    return response(request, answer.status(), answer.headers(), answer.body());
  }
}
