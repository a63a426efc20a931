package io.varve.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Commit;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreIoException;
import io.varve.StoreLockedException;
import io.varve.StoreOptions;
import io.varve.admin.BackupOptions;
import io.varve.admin.BackupPoint;
import io.varve.admin.Backups;
import io.varve.admin.RestoreTo;
import io.varve.spi.BackupTarget;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/// What backups promise, in a bucket of a server in this JVM.
class S3TargetTest {
  private static final int MIB = 1 << 20;
  private static LocalServer server;

  @TempDir Path directory;
  private S3Target target;

  @BeforeAll
  static void startServer() throws Exception {
    server = new LocalServer();
  }

  @AfterAll
  static void stopServer() throws Exception {
    server.stop();
  }

  /// Each test has a directory of the bucket.
  @BeforeEach
  void nameTarget(TestInfo test) {
    target = S3Target.of(server.client(), LocalServer.BUCKET, test.getDisplayName());
  }

  private static byte[] bytes(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static void put(BackupTarget target, String name, byte[] content) throws IOException {
    try (BackupTarget.NewObject object = target.create(name)) {
      object.write(ByteBuffer.wrap(content));
      object.finish();
    }
  }

  private static byte[] read(BackupTarget target, String name, long position, int count)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(count);
    int read = target.read(name, position, buffer);
    assertThat(buffer.position()).isEqualTo(read);
    return Arrays.copyOf(buffer.array(), read);
  }

  @Test
  void objectsAreWholeOrAbsent() throws IOException {
    byte[] small = bytes(1000, 1);
    byte[] parts = bytes(20 * MIB + 17, 2); // three parts
    for (byte[] content : new byte[][] {small, parts, new byte[0]}) {
      try (BackupTarget.NewObject object = target.create("1.vbk")) {
        object.write(ByteBuffer.wrap(content));
        object.write(ByteBuffer.allocate(0));
        assertThat(target.size("1.vbk")).as("before it is finished").isEqualTo(-1);
        object.finish();
      }
      assertThat(target.size("1.vbk")).isEqualTo(content.length);
      int from = content.length / 3;
      int count = Math.min(MIB, content.length - from);
      assertThat(read(target, "1.vbk", from, count))
          .isEqualTo(Arrays.copyOfRange(content, from, from + count));
      assertThat(read(target, "1.vbk", content.length, 10)).as("at its end").isEmpty();
      target.delete("1.vbk");
      target.delete("1.vbk"); // nothing happens
    }
  }

  @Test
  void objectsThatAreNotFinishedLeaveNothing() throws IOException {
    put(target, "1.vbk", bytes(10, 3));
    try (BackupTarget.NewObject object = target.create("1.vbk")) {
      object.write(ByteBuffer.wrap(bytes(9 * MIB, 4)));
    }
    assertThat(target.size("1.vbk")).as("what was there").isEqualTo(10);
    assertThat(uploads()).isZero();
  }

  private long uploads() {
    return server
        .client()
        .listMultipartUploads(r -> r.bucket(LocalServer.BUCKET).prefix(target.keyOf("")))
        .uploads()
        .size();
  }

  @Test
  void listsOfADirectoryHoldNothingBelow() throws IOException {
    put(target, "1.vbk", new byte[1]);
    put(target, "log/a.log", new byte[1]);
    put(target, "log/b.log", new byte[1]);
    assertThat(target.list("")).containsExactly("1.vbk");
    assertThat(target.list("log")).containsExactlyInAnyOrder("a.log", "b.log");
    assertThat(target.list("none")).isEmpty();
    assertThat(S3Target.of(server.client(), LocalServer.BUCKET, "").list("")).isEmpty();
  }

  @Test
  void partsGrowWithTheObject() throws IOException {
    assertThat(S3Upload.partBytes(0)).isEqualTo(8 * MIB);
    assertThat(S3Upload.partBytes(1_999)).isEqualTo(8 * MIB);
    assertThat(S3Upload.partBytes(2_000)).isEqualTo(32 * MIB);
    assertThat(S3Upload.partBytes(9_999)).isEqualTo(1024 * MIB);
    assertThatThrownBy(() -> S3Upload.partBytes(10_000)).hasMessageContaining("too large");
  }

  @Test
  void pointsAndCommitsRestore() throws IOException {
    Backups backups = Backups.at(target);
    var options = StoreOptions.defaults().archiveLog(true);
    Path data = directory.resolve("store");
    Commit between;
    try (Store store = Store.open(data, options)) {
      Space space = store.space("s");
      space.put("large".getBytes(UTF_8), bytes(9 * MIB, 5));
      backups.take(store);
      between = space.put("a".getBytes(UTF_8), "1".getBytes(UTF_8));
      space.put("a".getBytes(UTF_8), "2".getBytes(UTF_8));
      BackupPoint second = backups.take(store);
      assertThat(second.bytes()).as("what changed").isLessThan(MIB);
    }
    assertThat(backups.points()).extracting(BackupPoint::number).containsExactly(1L, 2L);
    backups.restore(directory.resolve("newest"), RestoreTo.newest());
    backups.restore(directory.resolve("between"), RestoreTo.commit(between));
    assertThat(valueOfA("newest")).isEqualTo("2");
    assertThat(valueOfA("between")).isEqualTo("1");
    try (Store store = Store.open(data, options)) {
      backups.take(store, BackupOptions.defaults().full(true));
      assertThat(backups.prune(1)).extracting(BackupPoint::number).containsExactly(1L, 2L);
    }
    assertThat(target.list("")).containsExactlyInAnyOrder("00000000000000000003.vbk", "lock");
  }

  private String valueOfA(String restored) {
    try (Store store = Store.open(directory.resolve(restored))) {
      store.verify().requireSound();
      assertThat(Arrays.equals(store.space("s").get("large".getBytes(UTF_8)), bytes(9 * MIB, 5)))
          .isTrue();
      return new String(store.space("s").get("a".getBytes(UTF_8)), UTF_8);
    }
  }

  @Test
  void oneBackupAtATime() throws IOException {
    S3Target other = S3Target.of(server.client(), LocalServer.BUCKET, "oneBackupAtATime()");
    try (Closeable hold = target.tryHold()) {
      assertThat(hold).isNotNull();
      assertThat(other.tryHold()).isNull();
      assertThatThrownBy(() -> Backups.at(other).prune(1))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("another backup is being written");
    }
    try (Closeable hold = other.tryHold()) {
      assertThat(hold).as("released without waiting").isNotNull();
    }
  }

  /// A process that was paused for longer than the lease, and then continues its backup.
  @Test
  void whoWasTakenOverFinishesNothing() throws IOException {
    S3Target other =
        S3Target.of(server.client(), LocalServer.BUCKET, "whoWasTakenOverFinishesNothing()")
            .leasedFor(Duration.ZERO);
    try (Closeable first = target.tryHold();
        BackupTarget.NewObject object = target.create("1.vbk")) {
      assertThat(first).isNotNull();
      object.write(ByteBuffer.wrap(bytes(9 * MIB, 6)));
      try (Closeable second = other.leasedFor(Duration.ofMinutes(1)).tryHold()) {
        assertThat(second).as("its lease is not over").isNull();
      }
      try (Closeable second = other.tryHold()) {
        assertThat(second).isNotNull();
        assertThat(uploads()).as("parts of an ended process").isZero();
        assertThatThrownBy(object::finish).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> target.delete("2.vbk")).hasMessageContaining("taken the lock");
        assertThat(target.size("1.vbk")).isEqualTo(-1);
      }
    }
  }

  /// Another target may be in a directory below.
  @Test
  void whatTheBucketHasOfOthersStays() throws IOException {
    S3Client client = server.client();
    String foreign = target.keyOf("deeper/other.vbk");
    String id =
        client.createMultipartUpload(r -> r.bucket(LocalServer.BUCKET).key(foreign)).uploadId();
    client.uploadPart(
        r -> r.bucket(LocalServer.BUCKET).key(foreign).uploadId(id).partNumber(1),
        RequestBody.fromString("x"));
    try (Closeable hold = target.tryHold()) {
      assertThat(hold).isNotNull();
    }
    assertThat(uploads()).isEqualTo(1);
    client.abortMultipartUpload(r -> r.bucket(LocalServer.BUCKET).key(foreign).uploadId(id));
  }

  @Test
  void errorsSayWhatFailedAndWhere() throws Exception {
    assertThatThrownBy(() -> target.read("9.vbk", 0, ByteBuffer.allocate(1)))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("s3://backups/errorsSayWhatFailedAndWhere()/9.vbk");
    S3Target nowhere = S3Target.of(server.client(), "no-such-bucket", "shop");
    try (Store store = Store.open(directory.resolve("store"))) {
      assertThatThrownBy(() -> Backups.at(nowhere).take(store))
          .isInstanceOf(StoreIoException.class)
          .hasStackTraceContaining("s3://no-such-bucket/shop/");
    }
    try (S3Client unreachable = LocalServer.newClient(URI.create("http://127.0.0.1:9"))) {
      assertThatThrownBy(() -> S3Target.of(unreachable, "b", "").size("1.vbk"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cannot look up an object: object=s3://b/1.vbk");
    }
  }

  /// The example of docs/BACKUP.md, as it is there.
  @Test
  void exampleOfTheGuideFindsItsServer() {
    Map<String, String> settings = server.settings();
    settings.forEach(System::setProperty);
    try (Store store = Store.open(directory.resolve("store"))) {
      S3Client client = S3Client.create(); // region and credentials as the AWS SDK finds them
      BackupTarget target = S3Target.of(client, "backups", "shop"); // bucket, and directory in it
      Backups.at(target).take(store);
      assertThat(Backups.at(target).points()).hasSize(1);
      client.close();
    } finally {
      settings.keySet().forEach(System::clearProperty);
    }
  }

  /// The class of docs/BACKUP.md, [NightlyBackups].
  @Test
  void nightlyBackupsAreTaken() {
    try (Store store = Store.open(directory.resolve("store"))) {
      store.space("s").put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
      new NightlyBackups(store, target).run();
      store.space("s").put("k".getBytes(UTF_8), "w".getBytes(UTF_8));
      new NightlyBackups(store, target).run();
    }
    Backups.at(target).restore(directory.resolve("again"), RestoreTo.newest());
    try (Store store = Store.open(directory.resolve("again"))) {
      assertThat(store.space("s").get("k".getBytes(UTF_8))).isEqualTo("w".getBytes(UTF_8));
    }
  }
}
