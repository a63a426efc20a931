package io.varve.s3;

import io.varve.spi.BackupTarget;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// Backups of stores in a bucket: what a directory of backups holds, as objects of the same names.
///
/// ```java
/// BackupTarget target = S3Target.of(client, "backups", "shop");
/// Backups.at(target).take(store);
/// ```
///
/// An object is uploaded in parts, and is there when the last call has completed it. The heap holds
/// one part: 8 MiB for objects of up to 15 GiB, 32 MiB up to 78 GiB, 128 MiB up to 328 GiB; it is 1
/// GiB at the bound of 3.3 TiB.
///
/// One backup at a time: the object `lock` is a lease of a minute, taken and renewed by conditional
/// writes (`If-None-Match`, `If-Match`), which the server must support. After a process has died,
/// its lease is over within a minute by the server's clock; clocks of clients are not compared.
/// Parts that it had uploaded are deleted then.
///
/// Errors are those of [BackupTarget]; how often a request is repeated is up to the client that was
/// given. Safe for threads. The client stays open: the program that made it closes it.
///
/// @since 1.0
public final class S3Target implements BackupTarget {
  /// How long a process that has died keeps others out. Renewed three times as often, so that one
  /// or two lost requests cost nothing.
  private static final Duration LEASE = Duration.ofMinutes(1);

  private static final int NOT_FOUND = 404;
  private static final int RANGE_NOT_SATISFIABLE = 416;

  /// What backups name their objects: uploads of others, in directories below, are not touched.
  private static final Pattern OWN_NAMES = Pattern.compile("[^/]+\\.vbk|log/[^/]+");

  private final S3Bucket bucket;
  private final Duration leaseTime;

  /// What is held, if anything is: writes make sure that it still is. Set where it is null, with
  /// the lease taken, which one thread has at a time; and made null by that one.
  private volatile @Nullable S3Lease held;

  private S3Target(S3Bucket bucket, Duration leaseTime) {
    this.bucket = bucket;
    this.leaseTime = leaseTime;
  }

  /// Backups in a part of a bucket. Nothing is read yet.
  ///
  /// @param client stays open, also when the backups have ended
  /// @param bucket is there
  /// @param directory what the names of all objects begin with, and a `/` after it; `""` for the
  ///   whole bucket
  public static S3Target of(S3Client client, String bucket, String directory) {
    return new S3Target(
        new S3Bucket(
            Objects.requireNonNull(client, "client"),
            Objects.requireNonNull(bucket, "bucket"),
            directory.isEmpty() || directory.endsWith("/") ? directory : directory + "/"),
        LEASE);
  }

  /// The same with another lease.
  S3Target leasedFor(Duration time) {
    return new S3Target(bucket, time);
  }

  String keyOf(String name) {
    return bucket.key(name);
  }

  @Override
  public List<String> list(String directory) throws IOException {
    String start = bucket.key(directory.isEmpty() ? "" : directory + "/");
    return bucket.calling(
        "list objects",
        directory,
        () ->
            bucket
                .client()
                .listObjectsV2Paginator(r -> r.bucket(bucket.name()).prefix(start).delimiter("/"))
                .contents()
                .stream()
                .map(object -> object.key().substring(start.length()))
                .filter(name -> !name.isEmpty()) // a directory that a tool has made
                .toList());
  }

  @Override
  public long size(String name) throws IOException {
    return bucket.calling(
        "look up an object",
        name,
        () -> {
          try {
            return bucket
                .client()
                .headObject(r -> r.bucket(bucket.name()).key(bucket.key(name)))
                .contentLength();
          } catch (S3Exception e) {
            if (e.statusCode() == NOT_FOUND) {
              return -1L;
            }
            throw e;
          }
        });
  }

  @Override
  public int read(String name, long position, ByteBuffer target) throws IOException {
    if (!target.hasRemaining()) {
      return 0;
    }
    long last = position + target.remaining() - 1;
    byte[] bytes =
        bucket.calling(
            "read an object",
            name,
            () -> {
              try {
                return bucket
                    .client()
                    .getObjectAsBytes(r ->
                        r.bucket(bucket.name())
                            .key(bucket.key(name))
                            .range("bytes=" + position + "-" + last))
                    .asByteArrayUnsafe();
              } catch (S3Exception e) {
                if (e.statusCode() == RANGE_NOT_SATISFIABLE) {
                  return new byte[0];
                }
                throw e;
              }
            });
    target.put(bytes);
    return bytes.length;
  }

  @Override
  public NewObject create(String name) {
    return new S3Upload(bucket, name, this::requireHeldNow);
  }

  @Override
  public void delete(String name) throws IOException {
    S3Lease lease = held;
    if (lease != null) {
      lease.requireHeld();
    }
    bucket.calling(
        "delete an object",
        name,
        () -> bucket.client().deleteObject(r -> r.bucket(bucket.name()).key(bucket.key(name))));
  }

  @Override
  public @Nullable Closeable tryHold() throws IOException {
    if (held != null) {
      // Also where its lease is lost: it is yet to notice, and must not write by the next one.
      return null;
    }
    S3Lease lease = S3Lease.tryTake(bucket, leaseTime);
    if (lease == null) {
      return null;
    }
    held = lease;
    boolean cleared = false;
    try {
      abortUploads();
      cleared = true;
    } finally {
      if (!cleared) {
        release(lease);
      }
    }
    return () -> release(lease);
  }

  private void release(S3Lease lease) throws IOException {
    held = null;
    lease.close();
  }

  /// Deletes the parts of objects that were never finished: while this is held, no other process
  /// writes any.
  private void abortUploads() throws IOException {
    bucket.calling(
        "clear away unfinished uploads",
        "",
        () -> {
          for (MultipartUpload upload :
              bucket
                  .client()
                  .listMultipartUploadsPaginator(
                      r -> r.bucket(bucket.name()).prefix(bucket.prefix()))
                  .uploads()) {
            if (OWN_NAMES.matcher(upload.key().substring(bucket.prefix().length())).matches()) {
              bucket
                  .client()
                  .abortMultipartUpload(
                      r -> r.bucket(bucket.name()).key(upload.key()).uploadId(upload.uploadId()));
            }
          }
          return "";
        });
  }

  /// Makes sure, by asking the server, that no other has taken the lease.
  private void requireHeldNow() throws IOException {
    S3Lease lease = held;
    if (lease != null) {
      lease.renew();
    }
  }

  @Override
  public String describe(String name) {
    return bucket.describe(name);
  }

  @Override
  public String toString() {
    return "S3Target[" + describe("") + "]";
  }
}
