package io.varve.s3;

import io.varve.spi.BackupTarget.NewObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;

/// An object on its upload: in one request if it is small, otherwise in parts. For one thread.
final class S3Upload implements NewObject {
  private static final int MIB = 1 << 20;

  /// A server takes at most 10,000 parts of an object, and its parts, but the last, have 5 MiB or
  /// more. So parts grow, a step for each of these, and small objects need little memory.
  private static final int PARTS_PER_STEP = 2_000;

  private static final int[] PART_MIB = {8, 32, 128, 512, 1024};

  private static final int FIRST_BUFFER_BYTES = 64 << 10;

  /// In the object's metadata: which upload it is of.
  private static final String WRITE = "varve-write";

  private final String write = UUID.randomUUID().toString();
  private final S3Bucket bucket;
  private final String name;
  private final Right right;
  private final List<CompletedPart> parts = new ArrayList<>();
  private byte[] buffer = new byte[FIRST_BUFFER_BYTES];
  private int length;
  private @Nullable String uploadId;
  private boolean ended;

  /// Makes sure that no other process has the right to write.
  @FunctionalInterface
  interface Right {
    /// Returns if the right is held.
    ///
    /// @throws IOException if another one has it
    void requireHeld() throws IOException;
  }

  S3Upload(S3Bucket bucket, String name, Right right) {
    this.bucket = bucket;
    this.name = name;
    this.right = right;
  }

  /// The length of the part that follows so many.
  ///
  /// @throws IOException if the object has as many parts as a server takes
  static int partBytes(int partCount) throws IOException {
    int step = partCount / PARTS_PER_STEP;
    if (step >= PART_MIB.length) {
      throw new IOException("the object is too large to be uploaded: parts=" + partCount);
    }
    return PART_MIB[step] * MIB;
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      int partBytes = partBytes(parts.size());
      if (length == partBytes) {
        uploadPart();
        continue;
      }
      int count = Math.min(bytes.remaining(), partBytes - length);
      if (length + count > buffer.length) {
        int grown = Math.max(length + count, (int) Math.min(2L * buffer.length, partBytes));
        buffer = Arrays.copyOf(buffer, grown);
      }
      bytes.get(buffer, length, count);
      length += count;
    }
  }

  private RequestBody body() {
    int count = length;
    byte[] content = buffer;
    // Not RequestBody.fromBytes, which copies. A request that is repeated begins a stream again.
    return RequestBody.fromContentProvider(
        () -> new ByteArrayInputStream(content, 0, count), count, "application/octet-stream");
  }

  private void uploadPart() throws IOException {
    String id = uploadId == null ? begin() : uploadId;
    int number = parts.size() + 1;
    String tag =
        bucket
            .calling(
                "upload a part",
                name,
                () ->
                    bucket
                        .client()
                        .uploadPart(
                            r ->
                                r.bucket(bucket.name())
                                    .key(bucket.key(name))
                                    .uploadId(id)
                                    .partNumber(number),
                            body()))
            .eTag();
    parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
    length = 0;
  }

  private String begin() throws IOException {
    String id =
        bucket
            .calling(
                "begin an upload",
                name,
                () ->
                    bucket
                        .client()
                        .createMultipartUpload(r ->
                            r.bucket(bucket.name())
                                .key(bucket.key(name))
                                .metadata(Map.of(WRITE, write))))
            .uploadId();
    uploadId = id;
    return id;
  }

  @Override
  public void finish() throws IOException {
    if (uploadId != null && length > 0) {
      uploadPart();
    }
    right.requireHeld();
    String id = uploadId;
    if (id == null) {
      bucket.calling(
          "upload an object",
          name,
          () ->
              bucket
                  .client()
                  .putObject(r -> r.bucket(bucket.name()).key(bucket.key(name)), body()));
    } else {
      complete(id);
    }
    ended = true;
  }

  private void complete(String id) throws IOException {
    try {
      bucket.calling(
          "complete an upload",
          name,
          () ->
              bucket
                  .client()
                  .completeMultipartUpload(r ->
                      r.bucket(bucket.name())
                          .key(bucket.key(name))
                          .uploadId(id)
                          .multipartUpload(u -> u.parts(parts))));
    } catch (IOException e) {
      // Where the answer was lost, the client has repeated the request, and the server no longer
      // knows the upload that it has completed.
      if (!isThere(e)) {
        throw e;
      }
    }
  }

  /// Whether the object is that of this upload.
  ///
  /// @param cause gets the errors of the look
  private boolean isThere(IOException cause) {
    try {
      return bucket.calling(
          "look up an object",
          name,
          () ->
              write.equals(
                  bucket
                      .client()
                      .headObject(r -> r.bucket(bucket.name()).key(bucket.key(name)))
                      .metadata()
                      .get(WRITE)));
    } catch (IOException e) {
      cause.addSuppressed(e);
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    String id = uploadId;
    if (!ended && id != null) {
      ended = true;
      bucket.calling("abort an upload", name, () -> abort(id));
    }
  }

  private boolean abort(String id) {
    try {
      bucket
          .client()
          .abortMultipartUpload(r -> r.bucket(bucket.name()).key(bucket.key(name)).uploadId(id));
      return true;
    } catch (NoSuchUploadException _) {
      return false; // the process that has taken the lease over has done it
    }
  }
}
