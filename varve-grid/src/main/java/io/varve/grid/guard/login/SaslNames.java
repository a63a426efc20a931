package io.varve.grid.guard.login;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The name of a user in the responses of a client that logs in: by `PLAIN` (RFC 4616), `SCRAM`
/// (RFC 5802) or `DIGEST` (RFC 2831). The login itself decides whether they can be read.
public final class SaslNames {
  private static final String OF_DIGEST = "DIGEST-";
  private static final Pattern SCRAM = Pattern.compile("[nyp][^,]*,[^,]*,n=([^,]*),.*");
  private static final Pattern DIGEST = Pattern.compile(".*?username=\"([^\"]*)\".*");
  private static final int PLAIN_PARTS = 3; // whom to act for, a name, a password

  private SaslNames() {}

  /// Whether a client that sends this is asked for its name first: nothing is compared for it.
  public static boolean isAsked(String mechanism, byte[] response) {
    return response.length == 0 && mechanism.startsWith(OF_DIGEST);
  }

  /// The name in a response, null if it has none.
  public static @Nullable String of(String mechanism, byte[] response) {
    String text = new String(response, UTF_8);
    if (mechanism.equals("PLAIN")) {
      String[] parts = text.split("\0", PLAIN_PARTS);
      return parts.length == PLAIN_PARTS ? parts[1] : null;
    }
    if (mechanism.startsWith("SCRAM-")) {
      Matcher first = SCRAM.matcher(text);
      return first.matches() ? first.group(1).replace("=2C", ",").replace("=3D", "=") : null;
    }
    return mechanism.startsWith(OF_DIGEST) ? ofDigest(text) : null;
  }

  /// The name in the words of `DIGEST`, as SASL and HTTP have them.
  public static @Nullable String ofDigest(String words) {
    Matcher response = DIGEST.matcher(words);
    return response.matches() ? response.group(1) : null;
  }
}
