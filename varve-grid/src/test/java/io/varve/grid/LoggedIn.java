package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.Provider;
import java.security.Security;
import java.util.Base64;
import java.util.Map;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.sasl.RealmCallback;
import javax.security.sasl.SaslClient;
import org.wildfly.security.password.WildFlyElytronPasswordProvider;
import org.wildfly.security.sasl.scram.ScramSaslClientFactory;

/// Connections to a node that it has let in, by the name that a client has said: sockets, on which
/// a test may send what no client sends.
final class LoggedIn {
  static final String USER = "alice";
  static final String PASSWORD = "secret";

  private static final String MECHANISM = "SCRAM-SHA-256";
  private static final Provider PASSWORDS = WildFlyElytronPasswordProvider.getInstance();

  /// A request of Hot Rod to authenticate: no cache, no flags, a client that knows one node.
  private static final String AUTHENTICATE = "\u00a0\u0001\u0029\u0023\0\0\u0001\0\0\0\0";

  private LoggedIn() {}

  /// The credentials in a request of HTTP.
  static String authorization() {
    String credentials = USER + ":" + PASSWORD;
    return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(US_ASCII));
  }

  static Socket resp(int port) throws IOException {
    return textual(port, "AUTH " + USER + " " + PASSWORD + "\r\n", "+OK\r\n");
  }

  static Socket memcached(int port) throws IOException {
    String words = USER + " " + PASSWORD;
    return textual(port, "set login 0 0 " + words.length() + "\r\n" + words + "\r\n", "STORED\r\n");
  }

  private static Socket textual(int port, String login, String answer) throws IOException {
    Socket socket = connect(port);
    socket.getOutputStream().write(login.getBytes(US_ASCII));
    byte[] answered = socket.getInputStream().readNBytes(answer.length());
    if (!answer.equals(new String(answered, US_ASCII))) {
      socket.close();
      throw new IOException("the node does not let the client in: " + new String(answered));
    }
    return socket;
  }

  static Socket hotRod(int port) throws IOException {
    if (Security.getProvider(PASSWORDS.getName()) == null) {
      Security.addProvider(PASSWORDS);
    }
    SaslClient client =
        new ScramSaslClientFactory()
            .createSaslClient(
                new String[] {MECHANISM}, null, "hotrod", "infinispan", Map.of(), LoggedIn::answer);
    Socket socket = connect(port);
    byte[] challenge = new byte[0];
    while (true) {
      byte[] response = client.evaluateChallenge(challenge);
      if (client.isComplete()) {
        return socket;
      }
      var request = new ByteArrayOutputStream();
      request.writeBytes(AUTHENTICATE.getBytes(ISO_8859_1));
      request.write(MECHANISM.length());
      request.writeBytes(MECHANISM.getBytes(US_ASCII));
      write(request, response);
      socket.getOutputStream().write(request.toByteArray());
      challenge = challenge(new DataInputStream(socket.getInputStream()));
    }
  }

  /// The challenge of a server, after magic, number, operation, status and topology.
  private static byte[] challenge(DataInputStream in) throws IOException {
    byte[] header = in.readNBytes(5);
    if (header.length < 5 || header[2] != 0x24 || header[3] != 0) {
      throw new IOException("the node does not let the client in");
    }
    in.readByte(); // Whether that is all.
    int length = 0;
    for (int shift = 0; ; shift += 7) {
      int read = in.readUnsignedByte();
      length |= (read & 0x7F) << shift;
      if (read < 0x80) {
        return in.readNBytes(length);
      }
    }
  }

  private static void write(ByteArrayOutputStream out, byte[] bytes) {
    int length = bytes.length;
    while (length > 0x7F) {
      out.write(length & 0x7F | 0x80);
      length >>>= 7;
    }
    out.write(length);
    out.writeBytes(bytes);
  }

  private static void answer(Callback[] callbacks) throws UnsupportedCallbackException {
    for (Callback callback : callbacks) {
      switch (callback) {
        case NameCallback name -> name.setName(USER);
        case PasswordCallback password -> password.setPassword(PASSWORD.toCharArray());
        case RealmCallback realm -> realm.setText(realm.getDefaultText());
        default -> throw new UnsupportedCallbackException(callback);
      }
    }
  }

  private static Socket connect(int port) throws IOException {
    Socket socket = new Socket(Clients.HOST, port);
    socket.setSoTimeout(20_000);
    return socket;
  }
}
