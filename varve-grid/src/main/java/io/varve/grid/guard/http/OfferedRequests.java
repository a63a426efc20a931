package io.varve.grid.guard.http;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.varve.grid.backup.BackupTask;
import io.varve.grid.guard.connection.Refusal;
import io.varve.grid.guard.entry.CacheDefinition;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Requests that no client may send, whatever the role: they run code, name files of the machine,
/// or show what the process was started with. Each has another way, on the machine itself.
final class OfferedRequests {
  private static final Set<HttpMethod> READS =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

  /// What the content of a request is.
  enum Content {
    CACHE,
    COUNTER,
    OTHER
  }

  /// The version of the interface, before which its context is: `rest/v2`.
  private static final int PREFIX = 2;

  /// A request by its method and address, or why it is not offered.
  @Nullable Refusal refusal(HttpMethod method, String uri) {
    RequestTarget target = RequestTarget.of(uri);
    if (target == null) {
      return new Refusal(
          HttpResponseStatus.BAD_REQUEST,
          "the address of the request has / or ? in its parameters, a #, no / at its start, or"
              + " bytes that are no UTF-8; send the first ones encoded, as %2F, %3F and %23, and a"
              + " key of bytes with key-content-type: application/octet-stream; encoding=hex");
    }
    List<String> rest = rest(target);
    if (rest.isEmpty()) {
      return null;
    }
    boolean read = READS.contains(method);
    return switch (rest.getFirst()) {
      case "tasks" ->
          read || isBackup(method, target, rest)
              ? null
              : refused("scripts and tasks are not offered");
      case "logging" -> read ? null : refused("log levels are set by a file of Log4j");
      case "server" -> server(rest, read);
      case "cluster", "container", "cache-managers" -> container(rest, read);
      case "caches" -> cache(target, rest, read);
      case "counters" ->
          !read && rest.stream().anyMatch(CacheDefinition::namesProperty)
              ? refused(CacheDefinition.PROPERTIES)
              : null;
      default -> null;
    };
  }

  /// Whether a request runs our task, and does not replace it by a script.
  private static boolean isBackup(HttpMethod method, RequestTarget target, List<String> rest) {
    return method.equals(HttpMethod.POST)
        && rest.size() == 2
        && rest.get(1).equals(BackupTask.NAME)
        && List.of("exec").equals(target.parameters().get("action"));
  }

  private static @Nullable Refusal server(List<String> rest, boolean read) {
    return switch (rest.size() > 1 ? rest.get(1) : "") {
      case "report" -> refused("reports run a program; use jcmd on the machine");
      case "env" -> refused("the environment holds secrets; read it on the machine");
      case "memory" -> read ? null : refused("heap dumps hold secrets; use jcmd on the machine");
      case "datasources" -> read ? null : refused("data sources are not offered");
      default -> null;
    };
  }

  private static @Nullable Refusal container(List<String> rest, boolean read) {
    int at = rest.getFirst().equals("cache-managers") ? 2 : 1; // whose name is before
    return switch (rest.size() > at ? rest.get(at) : "") {
      case "backups", "restores" ->
          refused("backups name files of the machine; use `varve backup` there");
      case "raft" -> read ? null : refused("there is no such protocol here");
      default -> null;
    };
  }

  private static @Nullable Refusal cache(RequestTarget target, List<String> rest, boolean read) {
    List<String> actions = target.parameters().getOrDefault("action", List.of());
    if (rest.size() == 1 && actions.contains("compare")) { // Its content has two definitions.
      return refused("definitions are not compared here");
    }
    if (!read && !actions.isEmpty() && namesProperty(target)) {
      return refused(CacheDefinition.PROPERTIES);
    }
    if (rest.size() > 1 && !CacheDefinition.isName(rest.get(1)) && !read) {
      return refused("a cache cannot have that name; see --help of serve for those that it can");
    }
    if (rest.size() > 1 && !read && isOfNode(rest)) {
      return refused("Infinispan's own caches are not made, changed or removed");
    }
    return rest.size() > 2 && rest.get(2).equals("rolling-upgrade") && !read
        ? refused("the node connects to no address that a client names")
        : null;
  }

  /// Whether an attribute or an alias names a property: Infinispan puts it in when it reads again
  /// what it has written of the cache.
  private static boolean namesProperty(RequestTarget target) {
    return target.parameters().values().stream()
        .flatMap(List::stream)
        .anyMatch(CacheDefinition::namesProperty);
  }

  /// Whether a request is for a cache of Infinispan's own, and not for an entry that clients may
  /// write, as of schemas.
  private static boolean isOfNode(List<String> rest) {
    String name = rest.get(1);
    return CacheDefinition.isPrivate(name)
        || (rest.size() == 2 && CacheDefinition.isOfInfinispan(name));
  }

  /// What Infinispan reads the content of a request as.
  static Content content(HttpMethod method, String uri) {
    RequestTarget target = RequestTarget.of(uri);
    if (target == null) {
      return Content.CACHE; // No such request comes here.
    }
    List<String> rest = rest(target);
    if (READS.contains(method) || rest.isEmpty() || method.equals(HttpMethod.DELETE)) {
      return Content.OTHER;
    }
    return switch (rest.getFirst()) {
      case "caches" -> isRead(method, target, rest) ? Content.CACHE : Content.OTHER;
      case "container", "cache-managers" -> Content.CACHE;
      case "counters" -> Content.COUNTER;
      default -> Content.OTHER;
    };
  }

  /// Whether Infinispan reads a definition, to convert it or to make a cache of it. A request with
  /// an action makes no cache; of one with a template the content is not read.
  private static boolean isRead(HttpMethod method, RequestTarget target, List<String> rest) {
    boolean hasTemplate =
        method.equals(HttpMethod.POST) && target.parameters().containsKey("template");
    return switch (rest.size()) {
      case 1 -> true;
      case 2 -> !target.parameters().containsKey("action") && !hasTemplate;
      default -> false;
    };
  }

  /// The path in the interface, empty outside of it.
  private static List<String> rest(RequestTarget target) {
    List<String> parts = target.parts();
    return parts.size() <= PREFIX ? List.of() : parts.subList(PREFIX, parts.size());
  }

  private static Refusal refused(String reason) {
    return new Refusal(HttpResponseStatus.FORBIDDEN, "refused: " + reason);
  }
}
