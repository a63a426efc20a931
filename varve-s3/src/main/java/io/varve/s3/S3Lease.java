package io.varve.s3;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// The right to write to a target, as an object that its holder writes again and again.
///
/// - (BUCKET-1) Each write of the object is conditional on what its writer saw of it last, and has
///   content that no other write has. So of two that take it, or of one that takes and one that
///   renews it, one fails.
/// - (BUCKET-2) It is taken from a holder when the object is older than the lease by the server's
///   clock: both times of that comparison come from one answer.
/// - (BUCKET-3) An object becomes whole only after the lease was renewed for it. Between that and
///   the call that completes it is less than a lease, unless the process is stopped just there.
/// - (BUCKET-4) The object names its holder. So a holder finds writes of its own whose answers were
///   lost, and does not take them for those of another. They may be done much later.
///
/// Its lock guards the tag, and is held during a request.
final class S3Lease implements Closeable {
  private static final String NAME = "lock";

  /// In the object's metadata when no process holds it.
  private static final String FREE = "varve-free";

  /// In the object's metadata: which write it is from.
  private static final String WRITE = "varve-write";

  /// In the object's metadata: which lease the write is of.
  private static final String HOLDER = "varve-holder";

  private static final int RENEWALS_PER_LEASE = 3;

  /// More than one follows only where a write whose answer was lost is done late.
  private static final int ATTEMPTS_MAX = 3;

  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int PRECONDITION_FAILED = 412;

  private final S3Bucket bucket;
  private final String holder;
  private final ScheduledExecutorService renewals =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("varve-s3-lease").factory());

  /// Of the object as this last saw it, written by this. Guarded by this.
  private String tag;

  private volatile boolean lost;

  private S3Lease(S3Bucket bucket, String holder, String tag, Duration time) {
    this.bucket = bucket;
    this.holder = holder;
    this.tag = tag;
    long period = Math.max(1, time.toMillis() / RENEWALS_PER_LEASE);
    var _ = renewals.scheduleWithFixedDelay(this::tryRenew, period, period, TimeUnit.MILLISECONDS);
  }

  /// Takes the lease, or returns null where another has it.
  ///
  /// @param time how long a holder may not be heard of
  static @Nullable S3Lease tryTake(S3Bucket bucket, Duration time) throws IOException {
    String holder = UUID.randomUUID().toString();
    Map<String, String> metadata = Map.of(HOLDER, holder);
    // Looked at first: some servers answer a write that they refuse, and close the connection,
    // before they have read all of it. A client that still writes then fails, without the answer.
    HeadObjectResponse found = look(bucket);
    if (found != null && !isOver(found, time)) {
      return null;
    }
    Condition unchanged =
        found == null
            ? request -> request.ifNoneMatch("*")
            : request -> request.ifMatch(found.eTag());
    String tag = write(bucket, unchanged, metadata);
    return tag == null ? null : new S3Lease(bucket, holder, tag, time);
  }

  private static @Nullable HeadObjectResponse look(S3Bucket bucket) throws IOException {
    return bucket.calling(
        "look up the lock",
        NAME,
        () -> {
          try {
            return bucket.client().headObject(r -> r.bucket(bucket.name()).key(bucket.key(NAME)));
          } catch (S3Exception e) {
            if (e.statusCode() == NOT_FOUND) {
              return null;
            }
            throw e;
          }
        });
  }

  private static boolean isOver(HeadObjectResponse lock, Duration time) {
    if (lock.metadata().containsKey(FREE)) {
      return true;
    }
    Instant now =
        lock.sdkHttpResponse()
            .firstMatchingHeader("Date")
            .map(date -> ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME))
            .map(ZonedDateTime::toInstant)
            .orElseGet(Instant::now);
    return !lock.lastModified().plus(time).isAfter(now);
  }

  /// A condition on the object that is there.
  private interface Condition {
    PutObjectRequest.Builder on(PutObjectRequest.Builder request);
  }

  /// Writes the object.
  ///
  /// @param metadata what it has in addition to the id of the write
  /// @return its tag, or null if it is not as the condition demands
  private static @Nullable String write(
      S3Bucket bucket, Condition condition, Map<String, String> metadata) throws IOException {
    String id = UUID.randomUUID().toString();
    Map<String, String> all = new HashMap<>(metadata);
    all.put(WRITE, id);
    String written = put(bucket, condition, id, all);
    if (written != null) {
      return written;
    }
    // Where the answer to a request was lost, the client has repeated it, and met its own write.
    HeadObjectResponse found = look(bucket);
    return found != null && id.equals(found.metadata().get(WRITE)) ? found.eTag() : null;
  }

  private static @Nullable String put(
      S3Bucket bucket, Condition condition, String content, Map<String, String> metadata)
      throws IOException {
    return bucket.calling(
        "write the lock",
        NAME,
        () -> {
          try {
            return bucket
                .client()
                .putObject(
                    r ->
                        condition.on(
                            r.bucket(bucket.name()).key(bucket.key(NAME)).metadata(metadata)),
                    RequestBody.fromString(content))
                .eTag();
          } catch (S3Exception e) {
            if (e.statusCode() == PRECONDITION_FAILED
                || e.statusCode() == CONFLICT
                || (e.statusCode() == NOT_FOUND && !(e instanceof NoSuchBucketException))) {
              return null;
            }
            throw e;
          }
        });
  }

  /// Writes the object as its holder, where it is still of this one (BUCKET-4).
  ///
  /// @return whether it is of this holder; if not, another has taken it
  private boolean writeAsHolder(Map<String, String> metadata) throws IOException {
    for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      String expected = tag;
      String written = write(bucket, request -> request.ifMatch(expected), metadata);
      if (written != null) {
        tag = written;
        return true;
      }
      HeadObjectResponse found = look(bucket);
      if (found == null || !holder.equals(found.metadata().get(HOLDER))) {
        return false;
      }
      tag = found.eTag();
    }
    throw new IOException(
        "cannot write the lock: object="
            + bucket.describe(NAME)
            + ", attempts="
            + ATTEMPTS_MAX
            + "; earlier writes of this process are still being done; take the backup again");
  }

  private void tryRenew() {
    try {
      renew();
    } catch (IOException _) {
      // The next renewal, or the call that needs the lease, meets the same and reports it.
    }
  }

  /// Renews the lease.
  ///
  /// @throws IOException if another has taken it, or the server cannot be reached
  synchronized void renew() throws IOException {
    requireHeld();
    if (!writeAsHolder(Map.of(HOLDER, holder))) {
      lost = true;
      requireHeld();
    }
  }

  /// @throws IOException if it is known that another has taken it
  void requireHeld() throws IOException {
    if (lost) {
      throw new IOException(
          "another process has taken the lock while this one was not heard of: object="
              + bucket.describe(NAME)
              + "; the points there are as they were; take the backup again");
    }
  }

  /// Releases the lease, for the next one to take without waiting.
  @Override
  public void close() throws IOException {
    renewals.shutdown(); // a renewal under way ends first: its tag is needed
    synchronized (this) {
      if (!lost) {
        // If another has it, that one releases it.
        var _ = writeAsHolder(Map.of(HOLDER, holder, FREE, "true"));
        lost = true;
      }
    }
  }
}
