package io.varve.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.spi.BackupTarget;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/// Requests that the server has done, and whose answers never came.
class LostAnswersTest {
  private static LocalServer server;

  @BeforeAll
  static void startServer() throws Exception {
    server = new LocalServer();
  }

  @AfterAll
  static void stopServer() throws Exception {
    server.stop();
  }

  /// Loses the answers to some requests.
  private static final class Loss implements ExecutionInterceptor {
    private final boolean repeated;
    private volatile Predicate<SdkRequest> lost = _ -> false;

    /// @param repeated whether the client repeats a request whose answer was lost
    Loss(boolean repeated) {
      this.repeated = repeated;
    }

    @Override
    public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes all) {
      if (lost.test(context.request())) {
        throw repeated
            ? RetryableException.create("answer lost")
            : SdkClientException.create("answer lost");
      }
    }
  }

  private static void put(BackupTarget target, String name, int bytes) throws IOException {
    try (BackupTarget.NewObject object = target.create(name)) {
      object.write(ByteBuffer.allocate(bytes));
      object.finish();
    }
  }

  /// The network was gone for a while. The next renewal met the lock as the lost one had left it,
  /// and took it for the lock of another process.
  @Test
  void leaseSurvivesRenewalsWhoseAnswersWereLost() throws IOException {
    var loss = new Loss(false);
    try (S3Client client = server.newClient(loss)) {
      S3Target target = S3Target.of(client, LocalServer.BUCKET, "lease");
      try (Closeable hold = target.tryHold()) {
        assertThat(hold).isNotNull();
        loss.lost = PutObjectRequest.class::isInstance;
        for (int renewal = 0; renewal < 3; renewal++) {
          assertThatThrownBy(() -> put(target, "1.vbk", 10))
              .hasMessageContaining("cannot write the lock");
        }
        loss.lost = _ -> false;
        put(target, "1.vbk", 10);
        assertThat(target.size("1.vbk")).isEqualTo(10);
      }
      try (Closeable hold = target.tryHold()) {
        assertThat(hold).as("released without waiting").isNotNull();
      }
    }
  }

  /// The client repeats the request, and the server no longer knows the upload.
  @Test
  void uploadIsCompleteAlthoughTheAnswerWasLost() throws IOException {
    var loss = new Loss(true);
    int[] answers = new int[1];
    loss.lost = request -> request instanceof CompleteMultipartUploadRequest && answers[0]++ == 0;
    try (S3Client client = server.newClient(loss)) {
      S3Target target = S3Target.of(client, LocalServer.BUCKET, "upload");
      put(target, "1.vbk", 9 << 20);
      assertThat(answers[0]).as("attempts").isEqualTo(2);
      assertThat(target.size("1.vbk")).isEqualTo(9 << 20);
    }
  }

  /// An upload that another has ended is not complete, whatever object is there.
  @Test
  void uploadThatWasEndedByAnotherIsRefused() throws IOException {
    S3Client client = server.client();
    S3Target target = S3Target.of(client, LocalServer.BUCKET, "ended");
    put(target, "1.vbk", 9 << 20);
    try (BackupTarget.NewObject object = target.create("1.vbk")) {
      object.write(ByteBuffer.allocate(10 << 20));
      client
          .listMultipartUploads(r -> r.bucket(LocalServer.BUCKET).prefix(target.keyOf("")))
          .uploads()
          .forEach(upload ->
              client.abortMultipartUpload(
                  r -> r.bucket(LocalServer.BUCKET).key(upload.key()).uploadId(upload.uploadId())));
      assertThatThrownBy(object::finish).isInstanceOf(IOException.class);
    }
    assertThat(target.size("1.vbk")).isEqualTo(9 << 20);
  }

  /// The server may close the connection while the client still sends what is refused. All attempts
  /// of the client failed then, and a backup that was late ended with an error of the network.
  @Test
  void theLockOfAnotherIsNotWritten() throws IOException {
    int[] writes = new int[1];
    var count = new Loss(true);
    count.lost =
        request -> {
          writes[0] += request instanceof PutObjectRequest ? 1 : 0;
          return false;
        };
    S3Target target = S3Target.of(server.client(), LocalServer.BUCKET, "held");
    try (S3Client client = server.newClient(count);
        Closeable hold = target.tryHold()) {
      assertThat(hold).isNotNull();
      assertThat(S3Target.of(client, LocalServer.BUCKET, "held").tryHold()).isNull();
      assertThat(writes[0]).isZero();
    }
  }

  /// What has lost its lease would otherwise write by the right of the one that took it.
  @Test
  void targetIsHeldOnceInAProcess() throws IOException {
    S3Target target = S3Target.of(server.client(), LocalServer.BUCKET, "once");
    S3Target other = target.leasedFor(Duration.ofSeconds(-10));
    try (Closeable first = target.tryHold()) {
      assertThat(first).isNotNull();
      try (Closeable second = other.tryHold()) {
        assertThat(second).as("takes it from the first").isNotNull();
      }
      assertThat(target.tryHold()).isNull();
      assertThatThrownBy(() -> put(target, "1.vbk", 10)).hasMessageContaining("taken the lock");
    }
    try (Closeable third = target.tryHold()) {
      assertThat(third).isNotNull();
    }
  }
}
