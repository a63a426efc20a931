/// Backups of stores in buckets: [io.varve.s3.S3Target].
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // the SDK has no modules
module io.varve.s3 {
  requires transitive io.varve;
  requires transitive software.amazon.awssdk.services.s3;
  requires software.amazon.awssdk.awscore;
  requires software.amazon.awssdk.core;
  requires software.amazon.awssdk.http;
  requires static org.jspecify;

  exports io.varve.s3;
}
