package io.varve.grid.items;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.AsciiString;
import io.varve.StoreClosedException;
import io.varve.StoreFailedException;
import io.varve.StoreFullException;
import io.varve.grid.items.ItemStore.Condition;
import io.varve.item.ItemSnapshot;
import io.varve.json.ItemJson;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Answers requests of HTTP for items: the items of a prefix are read, replaced, patched and
/// removed as one value of JSON.
///
/// - ITEMS-R1 Each request that changes anything is one commit, and is answered when that is as
///   durable as the store promises.
/// - ITEMS-R2 What a request states by `If-Match` and `If-None-Match` is compared with the items
///   that it changes, and no other request comes between.
/// - ITEMS-R3 Memory for values of JSON has a bound over all requests.
/// - ITEMS-R4 A change that is refused, since the disk is full or the store has failed, is noted
///   for the health of the node ([ItemStore#condition]).
///
/// **Threads:** each call waits for the store, and for other requests; any number of threads.
public final class ItemResource {
  private static final String JSON = "application/json";
  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final String CHANGES = "GET, HEAD, PUT, PATCH, POST, DELETE, OPTIONS";
  private static final String READS = "GET, HEAD, OPTIONS";

  /// The part of the heap that values of JSON may take.
  private static final int HEAP_PARTS = 4;

  private static final int OK = 200;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;
  private static final int CONFLICT = 409;
  private static final int PRECONDITION_FAILED = 412;
  private static final int UNSUPPORTED_TYPE = 415;
  private static final int NOT_IMPLEMENTED = 501;
  private static final int UNAVAILABLE = 503;
  private static final int NO_CAPACITY = 507;

  private final ItemStore store;
  private final ItemChanges changes;
  private final MemoryBudget budget;
  private final long bytesMax;

  /// A request.
  ///
  /// @param body read until the request is answered, and not released
  public record Request(HttpMethod method, String uri, HttpHeaders headers, ByteBuf body) {}

  /// An answer.
  ///
  /// @param headers in addition to that of the length
  /// @param body or null if there is none
  public record Answer(int status, Map<String, String> headers, byte @Nullable [] body) {}

  /// Answers by the items of a store.
  ///
  /// @param bytesMax of an answer, and of the items of a request
  public ItemResource(ItemStore store, long bytesMax) {
    this.store = store;
    this.bytesMax = bytesMax;
    this.budget = new MemoryBudget(Runtime.getRuntime().maxMemory() / HEAP_PARTS);
    this.changes = new ItemChanges(store, budget, bytesMax);
  }

  /// Whether a request is for items.
  public static boolean takes(String uri) {
    return ItemAddress.isOfItems(uri);
  }

  /// Whether a request changes nothing.
  public static boolean isRead(HttpMethod method) {
    return Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS).contains(method);
  }

  /// The answer of a node that is part of a cluster.
  public static Answer ofCluster() {
    return text(
        NOT_IMPLEMENTED,
        "items are of one node, and this one is part of a cluster; start a node without --cluster"
            + " for them");
  }

  /// Answers a request whose sender may send it.
  public Answer answer(Request request) {
    try {
      return ItemAddress.isOfNames(request.uri())
          ? ofNames(request)
          : ofItems(request, ItemAddress.of(request.uri()));
    } catch (IllegalArgumentException e) {
      return text(BAD_REQUEST, String.valueOf(e.getMessage()));
    } catch (ItemStore.TooManySpacesException e) {
      return text(CONFLICT, String.valueOf(e.getMessage()));
    } catch (StoreFailedException e) {
      store.found(Condition.FAILED); // ITEMS-R4
      return text(
          UNAVAILABLE,
          "the store of the items has failed, and takes no change before the node is started again: "
              + e.getMessage());
    } catch (StoreFullException e) {
      store.found(Condition.FULL);
      return text(NO_CAPACITY, "out of disk: " + e.getMessage());
    } catch (StoreClosedException | ItemStore.ClosedException e) {
      return text(UNAVAILABLE, "the node stops");
    }
  }

  private Answer ofNames(Request request) {
    if (!isRead(request.method())) {
      return notAllowed(READS);
    }
    if (request.method().equals(HttpMethod.OPTIONS)) {
      return new Answer(NO_CONTENT, Map.of("Allow", READS), null);
    }
    var names = JsonNodeFactory.instance.arrayNode();
    store.names().forEach(names::add);
    return json(OK, Map.of(), JsonBody.MAPPER.writeValueAsBytes(names));
  }

  private Answer ofItems(Request request, ItemAddress address) {
    HttpHeaders headers = request.headers();
    if (address.page() != null) {
      return ofPage(request, address, address.page());
    }
    Preconditions conditions =
        Preconditions.of(
            headers.getAll(HttpHeaderNames.IF_MATCH),
            headers.getAll(HttpHeaderNames.IF_NONE_MATCH));
    return switch (request.method().name()) {
      case "GET", "HEAD" -> read(address, conditions, request.method().equals(HttpMethod.HEAD));
      case "PUT" ->
          isOfType(request, JSON)
              ? answerWritten(changes.replace(address, conditions, JsonBody.of(request.body())))
              : wrongType("Accept", JSON);
      case "PATCH", "POST" ->
          isOfType(request, MERGE_PATCH)
              ? answerWritten(changes.patch(address, conditions, JsonBody.of(request.body())))
              : wrongType("Accept-Patch", MERGE_PATCH);
      case "DELETE" -> answer(changes.remove(address, conditions));
      case "OPTIONS" ->
          new Answer(NO_CONTENT, Map.of("Allow", CHANGES, "Accept-Patch", MERGE_PATCH), null);
      default -> notAllowed(CHANGES);
    };
  }

  /// The items of some names. They have no tag: what is compared is all under a prefix.
  private Answer ofPage(Request request, ItemAddress address, PageRequest asked) {
    HttpHeaders headers = request.headers();
    boolean isHead = request.method().equals(HttpMethod.HEAD);
    if (!isHead && !request.method().equals(HttpMethod.GET)) {
      return text(BAD_REQUEST, "a page is read, and changes are of all items under their address");
    }
    if (headers.contains(HttpHeaderNames.IF_MATCH)
        || headers.contains(HttpHeaderNames.IF_NONE_MATCH)) {
      return text(BAD_REQUEST, "a page has no tag for If-Match or If-None-Match");
    }
    ServedItems items = store.present(address.space());
    if (items == null) {
      return nothing();
    }
    try (ItemSnapshot snapshot = items.snapshot()) {
      ItemPage page = ItemPage.find(snapshot, address.prefix(), asked, budget, bytesMax);
      if (page.isEmpty() && asked.after() == null) {
        return nothing();
      }
      String tooLarge = page.tooLargeName();
      if (tooLarge != null) {
        return tooLargeName(address, asked, tooLarge);
      }
      Map<String, String> found = new HashMap<>();
      found.put("Varve-Items", Long.toString(page.items()));
      page.next().ifPresent(next -> found.put("Link", address.linkAfter(asked, next)));
      if (isHead) {
        return json(OK, found, null);
      }
      byte[] body =
          budget.use(
              page.jsonBytes(), () -> JsonBody.MAPPER.writeValueAsBytes(page.read(snapshot)));
      return body.length > bytesMax // PAGE-2: that of its first name alone
          ? tooLargeName(address, asked, page.firstName())
          : json(OK, found, body);
    }
  }

  /// PAGE-3
  private static Answer tooLargeName(ItemAddress address, PageRequest asked, String name) {
    Answer text =
        text(
            BAD_REQUEST,
            "a name has too many items for one value of JSON; read the pages of its own address,"
                + " and continue after it: Link has both");
    var headers = new HashMap<>(text.headers());
    headers.put("Link", address.linkTo(asked, name) + ", " + address.linkAfter(asked, name));
    return new Answer(text.status(), headers, text.body());
  }

  /// Whether a body is of a type, in UTF-8.
  private static boolean isOfType(Request request, String type) {
    String given = request.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
    CharSequence charset = HttpUtil.getCharsetAsSequence(given);
    return AsciiString.contentEqualsIgnoreCase(HttpUtil.getMimeType(given), type)
        && (charset == null || charset.toString().replace("\"", "").equalsIgnoreCase("utf-8"));
  }

  private Answer read(ItemAddress address, Preconditions conditions, boolean isHead) {
    ServedItems items = store.present(address.space());
    if (items == null) {
      return conditions.matches(null) ? nothing() : failedCondition();
    }
    try (ItemSnapshot snapshot = items.snapshot()) {
      PrefixFigures found = PrefixFigures.of(snapshot, address.prefix());
      String tag = found.tag();
      if (!conditions.matches(tag)) {
        return failedCondition();
      }
      if (tag == null) {
        return nothing();
      }
      Map<String, String> headers =
          Map.of("ETag", tag, "Varve-Items", Long.toString(found.items()));
      if (!conditions.matchesNone(tag)) {
        return new Answer(NOT_MODIFIED, headers, null);
      }
      if (isHead) {
        return json(OK, headers, null);
      }
      if (!budget.allows(found.jsonBytes())) {
        return tooLarge(found.items());
      }
      byte[] body =
          budget.use(
              found.jsonBytes(),
              () ->
                  JsonBody.MAPPER.writeValueAsBytes(
                      ItemJson.read(snapshot, address.prefix(), found.items())));
      return body.length > bytesMax ? tooLarge(found.items()) : json(OK, headers, body);
    }
  }

  private static Answer tooLarge(long items) {
    return text(
        BAD_REQUEST,
        "too many items for one value of JSON: items="
            + items
            + "; read pages by ?limit=COUNT, or a longer prefix, or start the node with a larger heap"
            + " and --value-max");
  }

  private Answer answerWritten(Outcome outcome) {
    if (outcome.changed() > 0) {
      store.found(Condition.HEALTHY);
    }
    return answer(outcome);
  }

  private static Answer answer(Outcome outcome) {
    if (outcome.refusal() != null) {
      return text(outcome.status(), outcome.refusal());
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("changed", outcome.changed());
    body.put("items", outcome.items());
    if (outcome.tag() != null) {
      body.put("etag", outcome.tag());
    }
    return json(outcome.status(), Map.of(), JsonBody.MAPPER.writeValueAsBytes(body));
  }

  private static Answer json(int status, Map<String, String> more, byte @Nullable [] body) {
    var headers = new HashMap<>(more);
    headers.put("Content-Type", JSON);
    return new Answer(status, headers, body);
  }

  private static Answer text(int status, String text) {
    return new Answer(
        status,
        Map.of("Content-Type", "text/plain; charset=UTF-8"),
        (text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static Answer nothing() {
    return text(NOT_FOUND, "there are no items under this prefix");
  }

  private static Answer failedCondition() {
    return text(PRECONDITION_FAILED, ItemChanges.FAILED_CONDITION);
  }

  private static Answer notAllowed(String allowed) {
    return new Answer(NOT_ALLOWED, Map.of("Allow", allowed), null);
  }

  private static Answer wrongType(String header, String type) {
    Answer text = text(UNSUPPORTED_TYPE, "the body is to be " + type + ", in UTF-8");
    var headers = new HashMap<>(text.headers());
    headers.put(header, type);
    return new Answer(text.status(), headers, text.body());
  }
}
