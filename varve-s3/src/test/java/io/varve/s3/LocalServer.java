package io.varve.s3;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStoreContext;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/// A server of S3's protocol in this JVM, whose objects are in memory, and a client of it.
final class LocalServer {
  static final String BUCKET = "backups";
  private static final String NAME = "test-name";
  private static final String SECRET = "test-secret";

  private final BlobStoreContext objects;
  private final S3Proxy server;
  private final S3Client client;

  LocalServer() throws Exception {
    objects =
        ContextBuilder.newBuilder("transient")
            .credentials(NAME, SECRET)
            .overrides(new Properties())
            .build(BlobStoreContext.class);
    server =
        S3Proxy.builder()
            .blobStore(objects.getBlobStore())
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, NAME, SECRET)
            .build();
    server.start();
    client = newClient(URI.create("http://127.0.0.1:" + server.getPort()));
    client.createBucket(r -> r.bucket(BUCKET));
  }

  static S3Client newClient(URI endpoint, ExecutionInterceptor... interceptors) {
    return S3Client.builder()
        .overrideConfiguration(config -> config.executionInterceptors(List.of(interceptors)))
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .forcePathStyle(true)
        // The server does not know the checksums that the SDK would append.
        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
        .httpClient(UrlConnectionHttpClient.create())
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create(NAME, SECRET)))
        .build();
  }

  /// Another client of this server, whose requests pass through an interceptor.
  S3Client newClient(ExecutionInterceptor interceptor) {
    return newClient(URI.create("http://127.0.0.1:" + server.getPort()), interceptor);
  }

  /// The settings of the AWS SDK, as system properties, by which a program finds this server.
  Map<String, String> settings() {
    return Map.of(
        "aws.endpointUrlS3",
        "http://127.0.0.1:" + server.getPort(),
        "aws.region",
        "us-east-1",
        "aws.accessKeyId",
        NAME,
        "aws.secretAccessKey",
        SECRET,
        "aws.requestChecksumCalculation",
        "when_required");
  }

  S3Client client() {
    return client;
  }

  void stop() throws Exception {
    client.close();
    server.stop();
    objects.close();
  }
}
