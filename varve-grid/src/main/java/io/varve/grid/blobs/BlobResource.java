package io.varve.grid.blobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.varve.Snapshot;
import io.varve.StoreClosedException;
import io.varve.StoreFailedException;
import io.varve.StoreFullException;
import io.varve.grid.items.ItemStore;
import io.varve.grid.items.ItemStore.Condition;
import io.varve.grid.items.Preconditions;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Answers requests of HTTP for blobs.
///
/// - BLOBS-R1 A change is answered when it is as durable as the store promises. One that is refused
///   has changed nothing.
/// - BLOBS-R2 No byte of a body is read before its request may be carried out, and it has a slot of
///   [TransferSlots].
/// - BLOBS-R3 A browser runs nothing of a blob, which is of the address of the console.
///
/// **Threads:** each call waits for the store, for its client, and for other requests; any number
/// of threads, virtual ones.
public final class BlobResource {
  private static final String CHANGES = "GET, HEAD, PUT, DELETE, OPTIONS";
  private static final String READS = "GET, HEAD, OPTIONS";
  private static final String BYTES = "application/octet-stream";
  private static final int TYPE_CHARS_MAX = 1_024;

  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int NO_CONTENT = 204;
  private static final int PARTIAL = 206;
  private static final int NOT_MODIFIED = 304;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;
  private static final int PRECONDITION_FAILED = 412;
  private static final int UNSUPPORTED_TYPE = 415;
  private static final int NO_RANGE = 416;
  private static final int NOT_IMPLEMENTED = 501;
  private static final int UNAVAILABLE = 503;
  private static final int NO_CAPACITY = 507;

  private final ItemStore items;
  private final BlobStore store;
  private final TransferSlots slots = new TransferSlots(Runtime.getRuntime().maxMemory());

  /// A request.
  ///
  /// @param address of the client
  /// @param isCompressed whether the body is
  /// @param body read once, to its end, by a request that writes a blob
  public record Request(
      String address,
      HttpMethod method,
      String uri,
      HttpHeaders headers,
      boolean isCompressed,
      InputStream body) {}

  /// An answer.
  ///
  /// @param headers in addition to that of the length
  /// @param text or null if there is none
  /// @param length of the body, which is not sent in answer to `HEAD`; or -1 for that of the text,
  ///   or where there is none
  /// @param content of the body, to be closed; or null if there is none but the text
  public record Answer(
      int status,
      Map<String, String> headers,
      @Nullable String text,
      long length,
      @Nullable InputStream content) {}

  /// A read or a change, of which each needs a right of its own.
  public enum Kind {
    READ,
    LIST,
    WRITE
  }

  /// Answers by the blobs in a store, and removes from it what is of none.
  public BlobResource(ItemStore items) {
    this.items = items;
    this.store = new BlobStore(items);
  }

  /// Removes parts of blobs that were not whole when the node ended. Once, when the store is open.
  public void removeUnfinished() {
    store.removeUnfinished();
  }

  /// Whether a request is for blobs.
  public static boolean takes(String uri) {
    return BlobAddress.isOfBlobs(uri);
  }

  /// What a request does.
  public static Kind kind(HttpMethod method, String uri) {
    if (!Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS).contains(method)) {
      return Kind.WRITE;
    }
    String path = uri.replaceFirst("\\?.*", "");
    int set = path.indexOf('/', BlobAddress.ROOT.length() + 1);
    return set < 0 || set == path.length() - 1 ? Kind.LIST : Kind.READ;
  }

  /// The answer of a node that is part of a cluster.
  public static Answer ofCluster() {
    return text(
        NOT_IMPLEMENTED,
        "blobs are of one node, and this one is part of a cluster; start a node without --cluster"
            + " for them");
  }

  /// The answer to a request whose body has not come as a whole.
  public static Answer ofBrokenBody(IOException cause) {
    return text(BAD_REQUEST, String.valueOf(cause.getMessage()));
  }

  /// Answers a request whose sender may send it.
  ///
  /// @throws IOException if the client has gone, or its body has not come; nothing has changed
  public Answer answer(Request request) throws IOException {
    try {
      BlobAddress address = BlobAddress.of(request.uri());
      if (request.method().equals(HttpMethod.OPTIONS)) {
        return new Answer(
            NO_CONTENT,
            Map.of("Allow", address.key().isEmpty() ? READS : CHANGES, "Accept-Ranges", "bytes"),
            null,
            -1,
            null);
      }
      return address.key().isEmpty() ? ofKeys(request, address) : ofBlob(request, address);
    } catch (IllegalArgumentException e) {
      return text(BAD_REQUEST, String.valueOf(e.getMessage()));
    } catch (TransferSlots.NoneException e) {
      return text(UNAVAILABLE, Map.of("Retry-After", "1"), String.valueOf(e.getMessage()));
    } catch (StoreFailedException e) {
      items.found(Condition.FAILED);
      return text(
          UNAVAILABLE,
          "the store of the blobs has failed, and takes no change before the node is started again: "
              + e.getMessage());
    } catch (StoreFullException e) {
      items.found(Condition.FULL);
      return text(NO_CAPACITY, "out of disk: " + e.getMessage());
    } catch (StoreClosedException | ItemStore.ClosedException e) {
      return text(UNAVAILABLE, "the node stops");
    }
  }

  private Answer ofBlob(Request request, BlobAddress address) throws IOException {
    HttpHeaders headers = request.headers();
    Preconditions conditions =
        Preconditions.of(
            headers.getAll(HttpHeaderNames.IF_MATCH),
            headers.getAll(HttpHeaderNames.IF_NONE_MATCH));
    return switch (request.method().name()) {
      case "GET", "HEAD" -> read(request, address, conditions);
      case "PUT" -> put(request, address, conditions);
      case "DELETE" -> removed(store.remove(address.recordKey(), conditions));
      default -> notAllowed(CHANGES);
    };
  }

  private Answer put(Request request, BlobAddress address, Preconditions conditions)
      throws IOException {
    HttpHeaders headers = request.headers();
    if (headers.contains(HttpHeaderNames.CONTENT_RANGE)) {
      return text(BAD_REQUEST, "a blob is written as a whole, without Content-Range");
    }
    if (request.isCompressed()) {
      return text(UNSUPPORTED_TYPE, "a blob is kept as it comes; send it without Content-Encoding");
    }
    String type = headers.get(HttpHeaderNames.CONTENT_TYPE, BYTES);
    if (type.length() > TYPE_CHARS_MAX) {
      return text(BAD_REQUEST, "the Content-Type is too long: max=" + TYPE_CHARS_MAX);
    }
    byte[] key = address.recordKey();
    if (!conditions.isEmpty()) { // So that a body is not sent for nothing. BLOB-3 is what counts.
      BlobRecord now = store.find(key);
      if (!conditions.areTrueOf(now == null ? null : now.tag())) {
        return failedCondition();
      }
    }
    slots.take(request.address()); // BLOBS-R2
    try {
      long length = headers.contains(HttpHeaderNames.TRANSFER_ENCODING) ? -1 : length(headers);
      BlobStore.Change change = store.put(key, conditions, type, request.body(), length);
      BlobRecord after = change.after();
      if (change.isRefused() || after == null) {
        return failedCondition();
      }
      items.found(Condition.HEALTHY);
      return new Answer(
          change.before() == null ? CREATED : NO_CONTENT,
          Map.of("ETag", after.tag()),
          null,
          -1,
          null);
    } finally {
      slots.free(request.address());
    }
  }

  private static long length(HttpHeaders headers) {
    String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
    return length == null ? -1 : Long.parseLong(length);
  }

  private static Answer removed(BlobStore.Change change) {
    if (change.isRefused()) {
      return failedCondition();
    }
    return change.before() == null ? nothing() : new Answer(NO_CONTENT, Map.of(), null, -1, null);
  }

  private Answer read(Request request, BlobAddress address, Preconditions conditions)
      throws IOException {
    boolean isHead = request.method().equals(HttpMethod.HEAD);
    if (!isHead) {
      slots.take(request.address());
    }
    Snapshot snapshot = null;
    Answer answer = null;
    try {
      snapshot = store.snapshot();
      BlobRecord found = snapshot == null ? null : BlobStore.find(snapshot, address.recordKey());
      answer = read(request, conditions, isHead ? null : snapshot, found);
      return answer;
    } finally {
      if (answer == null || answer.content() == null) {
        if (snapshot != null) {
          snapshot.close();
        }
        if (!isHead) {
          slots.free(request.address());
        }
      }
    }
  }

  /// @param snapshot of which the content is read, or null for none
  private Answer read(
      Request request,
      Preconditions conditions,
      @Nullable Snapshot snapshot,
      @Nullable BlobRecord found) {
    String tag = found == null ? null : found.tag();
    if (!conditions.matches(tag)) {
      return failedCondition();
    }
    if (found == null || tag == null) {
      return nothing();
    }
    var headers = new HashMap<String, String>();
    headers.put("ETag", tag);
    headers.put("Accept-Ranges", "bytes");
    if (!conditions.matchesNone(tag)) {
      return new Answer(NOT_MODIFIED, headers, null, -1, null);
    }
    String asked = request.headers().get(HttpHeaderNames.RANGE);
    boolean isOfTag =
        request.headers().getAll(HttpHeaderNames.IF_RANGE).stream().allMatch(tag::equals);
    boolean isGet = request.method().equals(HttpMethod.GET);
    ByteRange range = isGet && isOfTag ? ByteRange.of(asked, found.length()) : null;
    if (range != null && range.length() == 0) {
      headers.put("Content-Range", "bytes */" + found.length());
      return text(NO_RANGE, headers, "the blob has no byte of this range");
    }
    headers.put("Content-Type", found.type());
    headers.put("X-Content-Type-Options", "nosniff"); // BLOBS-R3
    headers.put("Content-Security-Policy", "sandbox; default-src 'none'");
    String address = request.address();
    ByteRange sent = range == null ? new ByteRange(0, found.length()) : range;
    if (range != null) {
      long last = range.from() + range.length() - 1;
      headers.put("Content-Range", "bytes " + range.from() + "-" + last + "/" + found.length());
    }
    return new Answer(
        range == null ? OK : PARTIAL,
        headers,
        null,
        sent.length(),
        snapshot == null ? null : BlobStore.read(snapshot, found, sent, () -> slots.free(address)));
  }

  /// A page of the names of all sets, or of the keys of one.
  private Answer ofKeys(Request request, BlobAddress address) throws IOException {
    if (BlobResource.kind(request.method(), request.uri()) == Kind.WRITE) {
      return notAllowed(READS);
    }
    slots.take(request.address());
    try (Snapshot snapshot = store.snapshot()) {
      ArrayNode listed = JsonNodeFactory.instance.arrayNode();
      KeyPage page = KeyPage.of(address.query());
      String next = null;
      if (snapshot != null) {
        next =
            address.set().isEmpty()
                ? page.listSets(snapshot, listed)
                : page.list(snapshot, address.set(), listed);
      }
      return json(
          next == null ? Map.of() : Map.of("Link", page.link(address, next)), listed, request);
    } finally {
      slots.free(request.address());
    }
  }

  private static Answer json(Map<String, String> more, ArrayNode body, Request request) {
    var headers = new HashMap<>(more);
    headers.put("Content-Type", "application/json");
    String text = body.toString();
    return request.method().equals(HttpMethod.HEAD)
        ? new Answer(OK, headers, null, text.getBytes(UTF_8).length, null)
        : new Answer(OK, headers, text, -1, null);
  }

  private static Answer text(int status, String text) {
    return text(status, Map.of(), text);
  }

  private static Answer text(int status, Map<String, String> more, String text) {
    var headers = new HashMap<>(more);
    headers.put("Content-Type", "text/plain; charset=UTF-8");
    return new Answer(status, headers, text + "\n", -1, null);
  }

  private static Answer nothing() {
    return text(NOT_FOUND, "there is no blob of this key");
  }

  private static Answer failedCondition() {
    return text(
        PRECONDITION_FAILED,
        "the blob is not the one that If-Match or If-None-Match states; look at it again");
  }

  private static Answer notAllowed(String allowed) {
    return text(NOT_ALLOWED, Map.of("Allow", allowed), "the methods are " + allowed);
  }
}
