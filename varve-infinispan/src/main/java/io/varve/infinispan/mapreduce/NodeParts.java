package io.varve.infinispan.mapreduce;

import io.varve.cache.CacheEntry;
import io.varve.cache.mapreduce.Part;
import io.varve.cache.mapreduce.PartPlan;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.infinispan.AdvancedCache;
import org.infinispan.Cache;
import org.infinispan.commons.util.IntSet;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.lifecycle.ComponentStatus;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachemanagerlistener.annotation.CacheStopped;
import org.infinispan.notifications.cachemanagerlistener.annotation.ViewChanged;
import org.infinispan.notifications.cachemanagerlistener.event.CacheStoppedEvent;
import org.infinispan.notifications.cachemanagerlistener.event.ViewChangedEvent;
import org.infinispan.partitionhandling.impl.PartitionHandlingManager;
import org.infinispan.remoting.transport.Address;
import org.infinispan.security.AuthorizationManager;
import org.infinispan.security.AuthorizationPermission;
import org.jspecify.annotations.Nullable;

/// The parts of jobs that run on one node. A part ends when the node that leads its job requests
/// it, or leaves the cluster, or when its cache stops. Public since Infinispan calls it as a
/// listener.
///
/// - ASK-1 What another node asks waits neither for mappers nor for combiners. Infinispan calls it
///   on a thread that reads what that node sends: whatever a mapper waits for may be queued after
///   it. Pages are made, and parts ended, on threads of their own, and a node that asks too early
///   must ask again.
@Listener
public final class NodeParts {
  /// One for each cache manager. Guarded by itself.
  private static final Map<GlobalComponentRegistry, NodeParts> ALL = new WeakHashMap<>();

  private final Map<String, NodePart> parts = new ConcurrentHashMap<>();

  /// Ends that are under way, or about which no node has asked since. By part.
  private final Map<String, CompletableFuture<Void>> ends = new ConcurrentHashMap<>();

  private NodeParts() {}

  private record NodePart(
      AdvancedCache<?, ?> cache,
      @Nullable Address leader,
      OwnedEntries<?, ?> entries,
      Part part,
      AheadPages pages) {}

  static NodeParts of(EmbeddedCacheManager manager) {
    synchronized (ALL) {
      return ALL.computeIfAbsent(
          GlobalComponentRegistry.of(manager),
          _ -> {
            NodeParts made = new NodeParts();
            manager.addListener(made);
            return made;
          });
    }
  }

  Reply start(
      EmbeddedCacheManager manager,
      String id,
      String cacheName,
      @Nullable Address leader,
      IntSet segments,
      byte[] plan) {
    Cache<Object, Object> cache = manager.getCache(cacheName, false);
    if (cache == null || cache.getStatus() != ComponentStatus.RUNNING) {
      return new Reply.Leaving();
    }
    AdvancedCache<Object, Object> advanced = cache.getAdvancedCache();
    try {
      requireReadable(advanced);
      ClassLoader loader = manager.getCacheManagerConfiguration().classLoader();
      @SuppressWarnings("unchecked") // the plan states that it is for these entries
      PartPlan<CacheEntry<Object, Object>, ?, ?> read =
          (PartPlan<CacheEntry<Object, Object>, ?, ?>)
              PlanBytes.read(plan, manager.getClassAllowList(), loader);
      OwnedEntries<Object, Object> entries = OwnedEntries.of(advanced, segments);
      Part started = read.start(entries.stream());
      NodePart part = new NodePart(advanced, leader, entries, started, new AheadPages(started));
      parts.put(id, part);
      if (leader != null && !manager.getMembers().contains(leader)) {
        end(id); // it has left before the part was there to be ended
      }
      return running(part, false);
    } catch (RuntimeException e) {
      return failed(advanced, e);
    }
  }

  /// @throws SecurityException if the caller that started the job must not read all of the cache
  private static void requireReadable(AdvancedCache<?, ?> cache) {
    AuthorizationManager authorization = cache.getAuthorizationManager();
    if (authorization != null) {
      authorization.checkPermission(AuthorizationPermission.BULK_READ);
    }
    ComponentRegistry.componentOf(cache, PartitionHandlingManager.class).checkBulkRead();
  }

  private static Reply running(NodePart part, boolean isMapped) {
    return new Reply.Running(isMapped, part.entries().lost(), part.part().figures());
  }

  private static Reply failed(AdvancedCache<?, ?> cache, Throwable cause) {
    if (cache.getStatus() != ComponentStatus.RUNNING) {
      return new Reply.Leaving(); // and what failed, failed since the cache stops
    }
    StringWriter stackTrace = new StringWriter();
    cause.printStackTrace(new PrintWriter(stackTrace));
    return new Reply.Failed(stackTrace.toString());
  }

  Reply poll(String id) {
    return answer(
        id,
        part -> {
          try {
            return running(part, part.part().awaitMapped(Duration.ZERO));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Reply.Leaving(); // nothing but a stop of the node interrupts this thread
          }
        });
  }

  Reply page(String id) {
    return answer(id, part -> part.pages().next());
  }

  private Reply answer(String id, Function<NodePart, Reply> call) {
    NodePart part = parts.get(id);
    if (part == null) {
      return new Reply.Leaving();
    }
    try {
      return call.apply(part);
    } catch (Throwable e) { // also errors of mappers: the leader is notified
      return failed(part.cache(), e);
    }
  }

  /// Begins to end a part, if that has not begun.
  Reply close(String id) {
    ends.values().removeIf(CompletableFuture::isDone);
    NodePart part = parts.remove(id);
    if (part != null) {
      ends.put(id, CompletableFuture.runAsync(part.part()::close, AheadPages::execute));
    }
    return ends.containsKey(id) ? new Reply.UnderWay() : new Reply.Closed();
  }

  private void end(String id) {
    NodePart part = parts.remove(id);
    if (part != null) {
      part.part().close();
    }
  }

  private void endIf(Predicate<NodePart> condition) {
    List<String> ids =
        parts.entrySet().stream()
            .filter(each -> condition.test(each.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    ids.forEach(this::end);
  }

  /// Ends the parts whose leaders have left. On a thread of its own, since to end a part may take
  /// as long as a mapper takes, and views do not wait.
  @ViewChanged
  public void viewChanged(ViewChangedEvent event) {
    List<Address> members = event.getNewMembers();
    AheadPages.execute(
        () -> endIf(part -> part.leader() != null && !members.contains(part.leader())));
  }

  /// Ends the parts over a cache that has stopped.
  @CacheStopped
  public void cacheStopped(CacheStoppedEvent event) {
    endIf(part -> part.cache().getName().equals(event.getCacheName()));
  }
}
