package io.varve.grid.guard.entry;

import io.varve.grid.guard.connection.AsItself;
import io.varve.grid.guard.connection.CacheParts;
import io.varve.grid.items.ItemStore;
import io.varve.grid.items.ItemStore.Condition;
import java.util.HashSet;
import java.util.Set;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.dataconversion.internal.Json;
import org.infinispan.health.HealthStatus;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.rest.NettyRestResponse;
import org.infinispan.rest.RestServer;
import org.infinispan.rest.framework.Method;
import org.infinispan.rest.framework.RestRequest;
import org.infinispan.rest.framework.RestResponse;

/// The health of a node and its caches, as REST answers it.
///
/// (HEALTH-1) A cache that refuses writes, since its disk is full, is `DEGRADED`, and so is its
/// node. Infinispan looks at partitions and moves of entries alone.
///
/// (HEALTH-2) A node whose items refuse changes is `DEGRADED` where their disk is full, and
/// `FAILED` where their store is. The caches are what they are.
public final class NodeHealth {
  private static final String DEGRADED = HealthStatus.DEGRADED.name();
  private static final String STATUS = "status";

  private final RestServer server;
  private final ItemStore items;

  public NodeHealth(RestServer server, ItemStore items) {
    this.server = server;
    this.items = items;
  }

  /// The answer to a request, which is the given one unless it is of the health of what is full.
  public RestResponse answer(RestRequest request, RestResponse response) {
    Object entity = response.getEntity();
    if (request.method() != Method.GET || response.getStatus() != 200 || entity == null) {
      return response;
    }
    String text = entity.toString();
    String answered = null;
    if (request.path().endsWith("/health/status")) {
      String worst = worst(text, !full().isEmpty());
      answered = worst.equals(text) ? null : worst;
    } else if ("health".equals(request.getAction())) {
      String cache = request.variables().get("cacheName");
      answered = isHealthy(text) && cache != null && isFull(cache) ? DEGRADED : null;
    } else if (request.path().endsWith("/container/health")
        || request.path().matches(".*/cache-managers/[^/]*/health")) {
      Set<String> full = full();
      return full.isEmpty() && items.condition() == Condition.HEALTHY
          ? response
          : ofContainer(request, text, full);
    }
    return answered == null ? response : response(request, answered, MediaType.TEXT_PLAIN);
  }

  private static boolean isHealthy(String status) {
    return status.startsWith(HealthStatus.HEALTHY.name());
  }

  /// The status of a node whose caches have one.
  private String worst(String ofCaches, boolean isFull) {
    return switch (items.condition()) {
      case FAILED -> HealthStatus.FAILED.name();
      case FULL -> isHealthy(ofCaches) ? DEGRADED : ofCaches;
      case HEALTHY -> isFull && isHealthy(ofCaches) ? DEGRADED : ofCaches;
    };
  }

  private boolean isFull(String cache) {
    return FullStores.isFull(CacheParts.of(server.getCacheManager(), cache));
  }

  private Set<String> full() {
    EmbeddedCacheManager caches = server.getCacheManager();
    Set<String> full = new HashSet<>(AsItself.call(caches::getCacheNames));
    full.removeIf(cache -> !isFull(cache));
    return full;
  }

  private RestResponse ofContainer(RestRequest request, String text, Set<String> full) {
    Json all = Json.read(text);
    Json cluster = all.at("cluster_health");
    cluster.set("health_status", worst(cluster.at("health_status").asString(), !full.isEmpty()));
    if (items.condition() != Condition.HEALTHY) {
      all.set("items_health", Json.object(STATUS, worst(HealthStatus.HEALTHY.name(), false)));
    }
    for (Json cache : all.at("cache_health").asJsonList()) {
      if (full.contains(cache.at("cache_name").asString())
          && isHealthy(cache.at(STATUS).asString())) {
        cache.set(STATUS, DEGRADED);
      }
    }
    return response(request, all.toString(), MediaType.APPLICATION_JSON);
  }

  private RestResponse response(RestRequest request, String text, MediaType type) {
    NettyRestResponse.Builder answer = server.getInvocationHelper().newResponse(request);
    return answer.contentType(type).entity(text).build();
  }
}
