package io.varve.grid.guard.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.varve.grid.guard.connection.Refusal;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Headers of writes of entries by REST that Infinispan passes over, where a client relies on them.
///
/// - ENTRYHEADERS-1 A write under a condition is refused, as what another client has stored would
///   be lost. Infinispan knows `If-None-Match` alone, in a sense of its own: it looks for that tag
///   before it writes, and overwrites an entry of another tag, whatever `*` asks for.
/// - ENTRYHEADERS-2 A time to live or idle is a whole number of at most [#SECONDS_MAX]. Infinispan
///   stores for good what has none, and loses an entry whose milliseconds are beyond 64 bits. One
///   that expires after the year 9999 cannot be read, as its header has four digits for a year.
final class EntryHeaders {
  /// Some thousand years.
  private static final long SECONDS_MAX = 100_000_000_000L;

  private static final Set<HttpMethod> WRITES =
      Set.of(HttpMethod.PUT, HttpMethod.POST, HttpMethod.DELETE);

  private static final List<CharSequence> CONDITIONS =
      List.of(
          HttpHeaderNames.IF_MATCH,
          HttpHeaderNames.IF_NONE_MATCH,
          HttpHeaderNames.IF_UNMODIFIED_SINCE);

  private static final List<String> TIMES = List.of("timeToLiveSeconds", "maxIdleTimeSeconds");

  /// The parts of the path to an entry: `rest`, `v2`, `caches`, and two names.
  private static final int PARTS = 5;

  private EntryHeaders() {}

  /// Why a request is not carried out; null if it is.
  static @Nullable Refusal refusal(HttpRequest request) {
    HttpHeaders headers = request.headers();
    if (!WRITES.contains(request.method())
        || Stream.concat(CONDITIONS.stream(), TIMES.stream()).noneMatch(headers::contains)
        || !isOfEntry(request.uri())) {
      return null;
    }
    if (CONDITIONS.stream().anyMatch(headers::contains)) {
      return new Refusal( // ENTRYHEADERS-1
          HttpResponseStatus.NOT_IMPLEMENTED,
          "a write has no condition in its headers; POST stores what is not there, and clients of"
              + " Hot Rod replace a version");
    }
    return TIMES.stream()
            .flatMap(name -> headers.getAll(name).stream())
            .allMatch(EntryHeaders::isTime)
        ? null
        : new Refusal( // ENTRYHEADERS-2
            HttpResponseStatus.BAD_REQUEST,
            "a time is a whole number of seconds: headers=" + TIMES + ", max=" + SECONDS_MAX);
  }

  private static boolean isOfEntry(String uri) {
    RequestTarget target = RequestTarget.of(uri);
    return target != null
        && target.parts().size() == PARTS
        && target.parts().get(2).equals("caches");
  }

  private static boolean isTime(String seconds) {
    try {
      return Long.parseLong(seconds) <= SECONDS_MAX;
    } catch (NumberFormatException _) {
      return false;
    }
  }
}
