package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.NodeDirectory;
import io.varve.grid.security.Role;
import io.varve.grid.security.Users;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.Security;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.sasl.RealmCallback;
import javax.security.sasl.SaslClient;
import javax.security.sasl.SaslClientFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.wildfly.security.password.WildFlyElytronPasswordProvider;
import org.wildfly.security.sasl.digest.DigestClientFactory;
import org.wildfly.security.sasl.plain.PlainSaslClientFactory;
import org.wildfly.security.sasl.scram.ScramSaslClientFactory;

/// REALM-1, REALM-2: a name that no user has is answered as a wrong password is, by each protocol
/// and each mechanism.
@Timeout(120)
class UnknownUsersTest {
  private static final List<SaslClientFactory> CLIENTS =
      List.of(
          new ScramSaslClientFactory(), new DigestClientFactory(), new PlainSaslClientFactory());

  private static final String REFUSED = "the login is refused";
  private static final String LET_IN = "let in";

  @TempDir static Path directory;

  /// A process of its own: Infinispan fails at HTTP DIGEST in a process in which a node has ended.
  private static ServeProcess node;

  private static SSLSocketFactory sockets;

  @BeforeAll
  static void start() throws Exception {
    Security.addProvider(WildFlyElytronPasswordProvider.getInstance());
    Path data = directory.resolve("node");
    Path configuration = NodeDirectory.configuration(data);
    new Users(configuration).set(LoggedIn.USER, LoggedIn.PASSWORD, Role.ADMIN);
    node = ServeProcess.start(data, "--tls", "--durability", "BACKGROUND", "--failed-logins", "0");
    sockets = Clients.trusting(configuration.resolve("self-made.pem")).getSocketFactory();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static Socket connect() throws IOException {
    Socket socket = sockets.createSocket(Clients.HOST, node.port());
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static SaslClient client(String mechanism, String user, String password)
      throws IOException {
    CallbackHandler answers =
        callbacks -> {
          for (Callback callback : callbacks) {
            switch (callback) {
              case NameCallback name -> name.setName(user);
              case PasswordCallback secret -> secret.setPassword(password.toCharArray());
              case RealmCallback realm -> realm.setText(realm.getDefaultText());
              default -> throw new UnsupportedCallbackException(callback);
            }
          }
        };
    for (SaslClientFactory clients : CLIENTS) {
      SaslClient client =
          clients.createSaslClient(
              new String[] {mechanism}, null, "hotrod", "infinispan", Map.of(), answers);
      if (client != null) {
        return client;
      }
    }
    throw new AssertionError("no such mechanism: " + mechanism);
  }

  private static byte[] hotRod(int operation, byte[]... parts) {
    var request = new ByteArrayOutputStream();
    request.writeBytes(new byte[] {(byte) 0xA0, 1, 0x29, (byte) operation, 0, 0, 1, 0, 0, 0, 0});
    for (byte[] part : parts) {
      for (int length = part.length; ; length >>>= 7) {
        request.write(length > 0x7F ? length & 0x7F | 0x80 : length);
        if (length <= 0x7F) {
          break;
        }
      }
      request.writeBytes(part);
    }
    return request.toByteArray();
  }

  private static int number(DataInputStream in) throws IOException {
    int number = 0;
    for (int shift = 0; ; shift += 7) {
      int read = in.readUnsignedByte();
      number |= (read & 0x7F) << shift;
      if (read < 0x80) {
        return number;
      }
    }
  }

  /// The answers of a login by Hot Rod: of each its operation, status and bytes.
  private static List<String> login(String mechanism, String user, String password)
      throws Exception {
    var answers = new ArrayList<String>();
    try (Socket socket = connect()) {
      var in = new DataInputStream(socket.getInputStream());
      SaslClient client = client(mechanism, user, password);
      byte[] challenge = {};
      boolean continues = true;
      byte[] response =
          client.hasInitialResponse() ? client.evaluateChallenge(challenge) : challenge;
      while (continues) {
        socket.getOutputStream().write(hotRod(0x23, mechanism.getBytes(US_ASCII), response));
        byte[] header = in.readNBytes(5);
        boolean isError = header[2] == 0x50;
        boolean isLast = !isError && in.readByte() == 1;
        challenge = in.readNBytes(number(in));
        answers.add(HexFormat.of().formatHex(header) + new String(challenge, ISO_8859_1));
        continues = !isError && !isLast;
        if (continues) {
          response = client.evaluateChallenge(challenge);
          continues = !client.isComplete();
        }
        if (!isError && !continues) {
          answers.add(LET_IN);
        }
      }
    }
    return answers;
  }

  /// Without what a server makes for each login, or each user.
  private static List<String> comparable(List<String> answers) {
    return answers.stream()
        .map(answer ->
            answer
                .replaceAll("r=[^,]{20,}", "r=")
                .replaceAll("s=[A-Za-z0-9+/=]{16}", "s=")
                .replaceAll("nonce=\"[^\"]*\"", "nonce="))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SCRAM-SHA-1", "SCRAM-SHA-256", "SCRAM-SHA-384", "SCRAM-SHA-512", "DIGEST-MD5",
        "DIGEST-SHA", "DIGEST-SHA-256", "DIGEST-SHA-384", "DIGEST-SHA-512", "PLAIN"
      })
  void anUnknownNameIsRefusedAsAWrongPassword(String mechanism) throws Exception {
    PrintStream before = System.err;
    var errors = new ByteArrayOutputStream();
    System.setErr(new PrintStream(errors, true, ISO_8859_1));
    try {
      List<String> wrong = comparable(login(mechanism, LoggedIn.USER, "wrong"));
      assertThat(wrong.getLast()).contains(REFUSED);
      assertThat(wrong).hasSize(mechanism.equals("PLAIN") ? 1 : 2);
      assertThat(comparable(login(mechanism, "nobody", "wrong"))).isEqualTo(wrong);
      assertThat(login(mechanism, LoggedIn.USER, LoggedIn.PASSWORD).getLast()).isEqualTo(LET_IN);
    } finally {
      System.setErr(before);
    }
    assertThat(errors.toString(ISO_8859_1)).doesNotContain("Exception");
  }

  /// A salt that changed would be of nobody.
  @Test
  void saltsStayAndDiffer() throws Exception {
    String of = salt("nobody");
    assertThat(salt("nobody")).isEqualTo(of);
    assertThat(salt("noone")).isNotEqualTo(of).hasSameSizeAs(of);
    assertThat(salt(LoggedIn.USER)).isNotEqualTo(of).hasSameSizeAs(of);
  }

  private static String salt(String user) throws Exception {
    String challenge = login("SCRAM-SHA-256", user, "wrong").getFirst();
    return challenge.replaceAll(".*,s=", "").replaceAll(",.*", "");
  }

  /// HOTROD-5: logins that nobody waits for would be kept in memory, each of them.
  @Test
  void loginsThatAreNotWaitedForAreFew() throws Exception {
    assertThat(refusals(10)).isEqualTo(10);
    assertThat(refusals(300)).isLessThan(20);
  }

  /// Answers to wrong passwords that are sent together.
  private static int refusals(int logins) throws Exception {
    try (Socket socket = connect()) {
      byte[] login = hotRod(0x23, "PLAIN".getBytes(US_ASCII), "\0nobody\0wrong".getBytes(US_ASCII));
      var requests = new ByteArrayOutputStream();
      for (int at = 0; at < logins; at++) {
        requests.writeBytes(login);
      }
      socket.getOutputStream().write(requests.toByteArray());
      var answers = new ByteArrayOutputStream();
      byte[] part = new byte[10_000];
      int refusals = 0;
      for (int read = 0; read >= 0 && refusals < logins; ) {
        answers.write(part, 0, read);
        refusals = answers.toString(ISO_8859_1).split(REFUSED, -1).length - 1;
        read = refusals < logins ? read(socket, part) : 0;
      }
      return refusals;
    }
  }

  /// A connection that is refused may end in the middle of what TLS sends after its handshake.
  private static int read(Socket socket, byte[] part) throws IOException {
    try {
      return socket.getInputStream().read(part);
    } catch (SSLException _) {
      return -1;
    }
  }

  /// CRAM-MD5 needs the password itself, and a node has hashes alone.
  @Test
  void mechanismsThatCannotWorkAreNotOffered() throws Exception {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(hotRod(0x21));
      byte[] answer = new byte[1_000];
      String offered = new String(answer, 0, socket.getInputStream().read(answer), ISO_8859_1);
      assertThat(offered)
          .contains("SCRAM-SHA-512", "DIGEST-MD5", "PLAIN")
          .doesNotContain("CRAM-MD5");
    }
    try (var memcached = new BinaryMemcached(connect())) {
      assertThat(memcached.call(0x20, BinaryMemcached.NOTHING, "", "").value())
          .contains("SCRAM-SHA-512", "PLAIN")
          .doesNotContain("CRAM-MD5");
    }
  }

  @Test
  void respRefusesBothAlike() throws Exception {
    assertThat(resp("nobody", "wrong")).isEqualTo(resp(LoggedIn.USER, "wrong")).startsWith("-");
    assertThat(resp(LoggedIn.USER, LoggedIn.PASSWORD)).isEqualTo("+OK\r\n");
  }

  private static String resp(String user, String password) throws Exception {
    return exchange("AUTH " + user + " " + password + "\r\n");
  }

  private static String exchange(String request) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      byte[] answer = new byte[10_000];
      return new String(answer, 0, socket.getInputStream().read(answer), ISO_8859_1);
    }
  }

  @Test
  void memcachedRefusesBothAlike() throws Exception {
    assertThat(memcached("nobody", "wrong")).isEqualTo(memcached(LoggedIn.USER, "wrong"));
    assertThat(memcached(LoggedIn.USER, LoggedIn.PASSWORD)).isEqualTo("STORED\r\n");
    for (String mechanism : List.of("PLAIN", "SCRAM-SHA-256")) {
      String wrong = binary(mechanism, LoggedIn.USER);
      assertThat(wrong).contains(REFUSED);
      assertThat(binary(mechanism, "nobody")).isEqualTo(wrong);
    }
  }

  private static String memcached(String user, String password) throws IOException {
    String words = user + " " + password;
    return exchange("set login 0 0 " + words.length() + "\r\n" + words + "\r\n");
  }

  /// The last answer of a login with a wrong password, after as many as there are.
  private static String binary(String mechanism, String user) throws Exception {
    try (var memcached = new BinaryMemcached(connect())) {
      SaslClient client = client(mechanism, user, "wrong");
      String response = text(client.evaluateChallenge(new byte[0]));
      for (int operation = 0x21; ; operation = 0x22) {
        BinaryMemcached.Answer answer =
            memcached.call(operation, BinaryMemcached.NOTHING, mechanism, response);
        if (answer.status() != 0x21) {
          return operation + " " + answer.status() + " " + answer.value();
        }
        response = text(client.evaluateChallenge(answer.value().getBytes(ISO_8859_1)));
      }
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }

  @Test
  void httpRefusesBothAlike() throws Exception {
    assertThat(basic("nobody", "wrong")).isEqualTo(basic(LoggedIn.USER, "wrong")).contains(" 401 ");
    assertThat(digest("nobody", "wrong")).isEqualTo(digest(LoggedIn.USER, "wrong"));
    assertThat(basic(LoggedIn.USER, LoggedIn.PASSWORD)).contains(" 200 ");
    assertThat(digest(LoggedIn.USER, LoggedIn.PASSWORD)).contains(" 200 ");
  }

  private static String basic(String user, String password) throws IOException {
    String credentials =
        Base64.getEncoder().encodeToString((user + ":" + password).getBytes(ISO_8859_1));
    return http("Basic " + credentials);
  }

  private static String http(String credentials) throws IOException {
    String answer =
        exchange(
            "GET /rest/v2/caches/default?action=size HTTP/1.1\r\nHost: localhost\r\nAuthorization: "
                + credentials
                + "\r\n\r\n");
    return answer.replaceAll("nonce=\"[^\"]*\"", "nonce=").replaceAll("(?i)date: [^\r]*", "");
  }

  private static String digest(String user, String password) throws Exception {
    String challenge = exchange("GET /rest/v2/caches HTTP/1.1\r\nHost: localhost\r\n\r\n");
    String digest = challenge.substring(challenge.indexOf("Digest "));
    String nonce = digest.replaceAll("(?s).*?nonce=\"([^\"]*)\".*", "$1");
    String realm = digest.replaceAll("(?s).*?realm=\"([^\"]*)\".*", "$1");
    String uri = "/rest/v2/caches/default?action=size";
    String response =
        md5(md5(user + ":" + realm + ":" + password) + ":" + nonce + ":" + md5("GET:" + uri));
    return http(
        "Digest username=\"%s\", realm=\"%s\", nonce=\"%s\", uri=\"%s\", response=\"%s\""
            .formatted(user, realm, nonce, uri, response));
  }

  private static String md5(String text) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(ISO_8859_1)));
  }

  /// Infinispan's cache of users takes a password for the one of a user where both have one hash
  /// code. Before a login that is 0.
  @Test
  void aHashCodeIsNoPassword() throws Exception {
    String zero = withHashCode(0);
    assertThat(Arrays.hashCode(zero.toCharArray())).isZero();
    assertThat(resp(LoggedIn.USER, zero)).startsWith("-");
    assertThat(basic(LoggedIn.USER, zero)).contains(" 401 ");
    assertThat(memcached(LoggedIn.USER, zero)).isNotEqualTo("STORED\r\n");
    assertThat(resp(LoggedIn.USER, LoggedIn.PASSWORD)).isEqualTo("+OK\r\n");
    String same = withHashCode(Arrays.hashCode(LoggedIn.PASSWORD.toCharArray()));
    assertThat(same).isNotEqualTo(LoggedIn.PASSWORD);
    assertThat(resp(LoggedIn.USER, same)).startsWith("-");
    assertThat(login("PLAIN", LoggedIn.USER, same).getLast()).contains(REFUSED);
  }

  private static String withHashCode(int code) {
    char[] password = "(((((((".toCharArray(); // Each letter may be 30 higher.
    long rest = code - (long) Arrays.hashCode(password) & 0xFFFF_FFFFL;
    for (int at = password.length - 1; at >= 0; at--) {
      password[at] += (char) (rest % 31);
      rest /= 31;
    }
    return new String(password);
  }
}
