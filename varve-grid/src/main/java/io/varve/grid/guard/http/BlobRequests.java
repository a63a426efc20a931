package io.varve.grid.guard.http;

import io.varve.grid.blobs.BlobResource;
import io.varve.grid.blobs.BlobResource.Answer;
import io.varve.grid.guard.entry.CacheDefinition;
import io.varve.grid.items.ItemStoreConfiguration;
import java.io.IOException;
import java.io.InputStream;
import org.infinispan.rest.NettyRestRequest;
import org.infinispan.rest.RestServer;
import org.infinispan.rest.framework.RestRequest;
import org.infinispan.rest.framework.RestResponse;
import org.infinispan.security.AuthorizationPermission;

/// Requests of REST for blobs, whose bodies and answers [BlobExchange] streams.
///
/// (BLOBREQUEST-1) To read and to write a blob is for those who may do that to an entry of any
/// cache. To list blobs is for those who may read any cache as a whole.
///
/// (BLOBREQUEST-2) A client that leaves, or is too slow, is no failure of the node. Infinispan
/// writes the trace of a stack for each failure that it answers.
final class BlobRequests extends OwnRequests {
  private final BlobResource blobs;
  private final boolean isClustered;

  BlobRequests(RestServer server) {
    super(server, "varve-blobs");
    var global = CacheDefinition.global(server.getCacheManager());
    this.blobs = new BlobResource(global.module(ItemStoreConfiguration.class).store());
    this.isClustered = global.isClustered();
    if (!isClustered) {
      blobs.removeUnfinished();
    }
  }

  /// Whether a request is for blobs.
  static boolean takes(RestRequest request) {
    return request instanceof NettyRestRequest ofNetty
        && ofNetty.getFullHttpRequest() instanceof BlobExchange.Request;
  }

  @Override
  RestResponse answer(RestRequest request) {
    var http = (BlobExchange.Request) ((NettyRestRequest) request).getFullHttpRequest();
    require(request, right(BlobResource.kind(http.method(), http.uri()))); // BLOBREQUEST-1
    Answer answer = answer(http);
    if (answer.length() >= 0) {
      http.answers(answer.length(), answer.content());
    }
    return response(request, answer.status(), answer.headers(), answer.text());
  }

  private Answer answer(BlobExchange.Request http) {
    try (InputStream body = http.body()) {
      return isClustered
          ? BlobResource.ofCluster()
          : blobs.answer(
              new BlobResource.Request(
                  http.address(),
                  http.method(),
                  http.uri(),
                  http.headers(),
                  http.isCompressed(),
                  body));
    } catch (IOException e) { // BLOBREQUEST-2
      return BlobResource.ofBrokenBody(e);
    }
  }

  private static AuthorizationPermission right(BlobResource.Kind kind) {
    return switch (kind) {
      case READ -> AuthorizationPermission.READ;
      case LIST -> AuthorizationPermission.BULK_READ;
      case WRITE -> AuthorizationPermission.WRITE;
    };
  }
}
