package io.varve.s3;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/// A part of a bucket, and calls of the SDK whose errors name what failed and where.
///
/// @param client of the user, who closes it
/// @param name of the bucket
/// @param prefix what the keys of all objects begin with
record S3Bucket(S3Client client, String name, String prefix) {
  /// The key of an object.
  String key(String object) {
    return prefix + object;
  }

  /// Where an object is, for messages.
  String describe(String object) {
    return "s3://" + name + "/" + key(object);
  }

  /// A call of the SDK.
  interface Call<T extends @Nullable Object> {
    T make();
  }

  /// Makes a call, and has an error of it name what failed and where.
  <T extends @Nullable Object> T calling(String what, String object, Call<T> call)
      throws IOException {
    try {
      return call.make();
    } catch (NoSuchKeyException e) {
      var missing = new NoSuchFileException(describe(object));
      missing.initCause(e);
      throw missing;
    } catch (SdkException e) {
      throw new IOException("cannot " + what + ": object=" + describe(object), e);
    }
  }
}
