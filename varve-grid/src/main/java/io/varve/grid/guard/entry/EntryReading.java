package io.varve.grid.guard.entry;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.dataconversion.EncodingException;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.hash.MurmurHash3;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.container.entries.InternalCacheEntry;
import org.infinispan.metadata.Metadata;
import org.infinispan.rest.CacheControl;
import org.infinispan.rest.DateUtils;
import org.infinispan.rest.InvocationHelper;
import org.infinispan.rest.NettyRestResponse;
import org.infinispan.rest.RequestHeader;
import org.infinispan.rest.ResponseHeader;
import org.infinispan.rest.cachemanager.RestCacheManager;
import org.infinispan.rest.framework.LookupResult;
import org.infinispan.rest.framework.Method;
import org.infinispan.rest.framework.RestRequest;
import org.infinispan.rest.framework.RestResponse;
import org.infinispan.rest.logging.Log;
import org.infinispan.rest.operations.CacheOperationsHelper;
import org.infinispan.rest.operations.exceptions.UnacceptableDataFormatException;
import org.jspecify.annotations.Nullable;

/// `GET` and `HEAD` of an entry by REST, with the headers that Infinispan answers.
///
/// - ENTRYGET-1 Seconds until an entry expires are counted in 64 bits, and answered up to 32 of
///   them. Infinispan casts milliseconds to 32 bits: beyond 24 days a cache of HTTP kept an entry
///   for too short a time, or asked each time, and `min-fresh` found no entry.
/// - ENTRYGET-2 An entry that expires after the year 9999 is read. Its header has the end of that
///   year: there are four digits for one. Infinispan answered 500.
/// - ENTRYGET-3 A condition whose date is none is passed over, as RFC 9110 has it. Infinispan
///   failed where it would have answered that, and the client waited.
public final class EntryReading extends EntryRequest {
  private static final long EXPIRES_MILLIS_MAX =
      Instant.parse("9999-12-31T23:59:59Z").toEpochMilli();

  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  public EntryReading(InvocationHelper helper) {
    super(helper);
  }

  /// Whether a request is one.
  public static boolean takes(RestRequest request, LookupResult found) {
    return (request.method() == Method.GET || request.method() == Method.HEAD)
        && isForEntry(request, found);
  }

  @Override
  CompletionStage<RestResponse> perform(RestRequest request) {
    RestCacheManager<Object> caches = helper.getRestCacheManager();
    MediaType type = type(caches.getCache(cacheName(request), request), request);
    return caches
        .getInternalEntry(cacheName(request), key(request), request.keyContentType(), type, request)
        .thenApply(entry -> answer(request, entry, type));
  }

  /// The type that a value is answered in: the first of the request that it can be converted to.
  private MediaType type(AdvancedCache<Object, Object> cache, RestRequest request) {
    MediaType stored = cache.getValueDataConversion().getStorageMediaType();
    MediaType asked;
    try {
      asked =
          MediaType.parseList(request.getAcceptHeader())
              .filter(each -> helper.getEncoderRegistry().isConversionSupported(stored, each))
              .findFirst()
              .orElseThrow(() -> Log.REST.unsupportedDataFormat(request.getAcceptHeader()));
    } catch (EncodingException _) {
      throw new UnacceptableDataFormatException();
    }
    if (!asked.matchesAll() || stored == null) {
      return asked;
    }
    if (stored.equals(MediaType.APPLICATION_OBJECT)) {
      return MediaType.TEXT_PLAIN;
    }
    return stored.match(MediaType.APPLICATION_PROTOSTREAM) ? MediaType.APPLICATION_JSON : asked;
  }

  private RestResponse answer(
      RestRequest request, @Nullable CacheEntry<Object, Object> found, MediaType type) {
    NettyRestResponse.Builder response = helper.newResponse(request);
    if (!(found instanceof InternalCacheEntry<Object, Object> entry)
        || !isFresh(entry, CacheOperationsHelper.minFresh(request.getCacheControlHeader()))) {
      return response.status(HttpResponseStatus.NOT_FOUND).build();
    }
    String tag = String.valueOf(MurmurHash3.getInstance().hash(entry.getValue()));
    Long modified = CacheOperationsHelper.lastModified(entry);
    HttpResponseStatus refused = refused(request, tag, modified);
    if (refused != null) {
      return response.status(refused).build();
    }
    response.status(HttpResponseStatus.OK).eTag(tag).entity(entry.getValue());
    response.contentType(answered(request, type, entry.getValue()));
    if (modified != null) {
      response.header(ResponseHeader.LAST_MODIFIED_HEADER.getValue(), date(modified));
    }
    expires(response, entry);
    if (isExtended(request)) {
      RestCacheManager<Object> caches = helper.getRestCacheManager();
      response
          .clusterPrimaryOwner(caches.getPrimaryOwner(cacheName(request), key(request), request))
          .clusterBackupOwners(caches.getBackupOwners(cacheName(request), key(request), request))
          .clusterNodeName(caches.getNodeName())
          .clusterServerAddress(caches.getServerAddress());
    }
    return response.build();
  }

  /// The type of an answer, where the request takes any.
  private MediaType answered(RestRequest request, MediaType type, Object value) {
    if (!type.matchesAll()) {
      return type;
    }
    MediaType ofCache =
        helper.getRestCacheManager().getValueConfiguredFormat(cacheName(request), request);
    if (ofCache != null) {
      return ofCache;
    }
    return value instanceof byte[] ? MediaType.APPLICATION_OCTET_STREAM : MediaType.TEXT_PLAIN;
  }

  private boolean isExtended(RestRequest request) {
    List<String> asked = request.parameters().get(RequestHeader.EXTENDED_HEADER.getValue());
    return asked != null
        && !asked.isEmpty()
        && CacheOperationsHelper.supportsExtendedHeaders(
            helper.getConfiguration(), asked.getFirst());
  }

  /// What a condition of a request has it answered; null if all hold.
  ///
  /// @param modified null for an entry that has no such time
  private static @Nullable HttpResponseStatus refused(
      RestRequest request, String tag, @Nullable Long modified) {
    String unchanged = request.getEtagIfNoneMatchHeader();
    if (tag.equals(unchanged)) {
      return HttpResponseStatus.NOT_MODIFIED;
    }
    String same = request.getEtagIfMatchHeader();
    if ((same != null && !same.equals(tag))
        || DateUtils.ifUnmodifiedIsBeforeModificationDate(
            dateOf(request.getIfUnmodifiedSinceHeader()), modified)) {
      return HttpResponseStatus.PRECONDITION_FAILED;
    }
    return DateUtils.isNotModifiedSince(dateOf(request.getIfModifiedSinceHeader()), modified)
        ? HttpResponseStatus.NOT_MODIFIED
        : null;
  }

  /// ENTRYGET-3
  private static @Nullable String dateOf(@Nullable String header) {
    return DateUtils.parseRFC1123(header) == null ? null : header;
  }

  private static boolean isFresh(InternalCacheEntry<?, ?> entry, OptionalInt secondsMin) {
    return secondsMin.isEmpty()
        || !entry.canExpire()
        || secondsToExpiry(entry) > secondsMin.getAsInt();
  }

  private static long secondsToExpiry(InternalCacheEntry<?, ?> entry) {
    return TimeUnit.MILLISECONDS.toSeconds(entry.getExpiryTime() - System.currentTimeMillis());
  }

  private static void expires(NettyRestResponse.Builder response, InternalCacheEntry<?, ?> entry) {
    if (entry.canExpire()) {
      long seconds = secondsToExpiry(entry); // ENTRYGET-1
      response.cacheControl(
          seconds > 0
              ? CacheControl.maxAge((int) Math.min(seconds, Integer.MAX_VALUE))
              : CacheControl.noCache());
      long expires = Math.min(entry.getExpiryTime(), EXPIRES_MILLIS_MAX); // ENTRYGET-2
      response.header(ResponseHeader.EXPIRES_HEADER.getValue(), date(expires));
    }
    Metadata times = entry.getMetadata();
    response
        .timeToLive(times.lifespan())
        .maxIdle(times.maxIdle())
        .created(entry.getCreated())
        .lastUsed(entry.getLastUsed());
  }

  private static String date(long epochMillis) {
    return HTTP_DATE.format(Instant.ofEpochMilli(epochMillis));
  }
}
