package io.varve.internal.file;

import static io.varve.internal.page.Bytes.i32;
import static io.varve.internal.page.Bytes.i64;
import static io.varve.internal.page.Bytes.putI32;
import static io.varve.internal.page.Bytes.putI64;

import io.varve.internal.crypto.DataKey;
import io.varve.internal.crypto.DataKey.Purpose;
import io.varve.internal.crypto.Session;
import io.varve.internal.crypto.SessionCipher;
import io.varve.internal.page.PageImage;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Encrypts the bodies of images; their headers stay in clear. What is stored then has cipher 1,
/// and its body is (little-endian):
///
/// | offset | bytes | field   | meaning                                                         |
/// |-------:|------:|---------|-----------------------------------------------------------------|
/// |      0 |    16 | session | high, low                                                       |
/// |     16 |     8 | number  | of the image in its session                                     |
/// |     24 |       | text    | the body, encrypted                                             |
/// |    end |    16 | tag     | over text, header (from the kind on), and extent                |
///
/// The nonce is the number. (K1) A session ends with this object, and no number is given twice in
/// it. The extent is in the tag so that an image which was put in another extent does not open.
final class PageCipher {
  /// How much longer an image is when it is encrypted.
  static final int OVERHEAD_BYTES = 24 + SessionCipher.TAG_BYTES;

  /// The cipher of an image whose body is encrypted.
  static final int CIPHER = 1;

  private static final int SESSION = PageImage.HEADER_BYTES;
  private static final int NUMBER = SESSION + Session.BYTES;
  private static final int TEXT = NUMBER + Long.BYTES;

  /// Of the nonce; there is only one.
  private static final int DOMAIN = 0;

  private final DataKey key;
  private final Session session = Session.random();
  private final SessionCipher own;
  private final AtomicLong nextNumber = new AtomicLong();

  /// The ciphers of sessions whose images were read: one for each open of the store at most.
  private final Map<Session, SessionCipher> known = new ConcurrentHashMap<>();

  PageCipher(DataKey key) {
    this.key = key;
    this.own = key.cipher(Purpose.PAGES, session);
    known.put(session, own);
  }

  /// Encrypts the image in the first `bytes` bytes of an array.
  ///
  /// @param extent where it is going to be
  /// @return what is to be stored there
  byte[] seal(byte[] image, int bytes, long extent) {
    byte[] stored = new byte[bytes + OVERHEAD_BYTES];
    System.arraycopy(image, 0, stored, 0, PageImage.HEADER_BYTES);
    int body = bytes - PageImage.HEADER_BYTES;
    System.arraycopy(image, PageImage.HEADER_BYTES, stored, TEXT, body);
    stored[PageImage.CIPHER] = CIPHER;
    putI32(stored, PageImage.LENGTH, body + OVERHEAD_BYTES);
    long number = nextNumber.getAndIncrement(); // (K1)
    putI64(stored, SESSION, session.high());
    putI64(stored, SESSION + 8, session.low());
    putI64(stored, NUMBER, number);
    own.seal(DOMAIN, number, additional(stored, extent), stored, TEXT, body);
    putI32(stored, PageImage.CHECKSUM, PageImage.checksum(stored, stored.length));
    return stored;
  }

  /// Decrypts what is stored at an extent, whose checksum is right.
  ///
  /// @return the image as it was before [#seal], except its checksum; null if it is not encrypted,
  ///   or was changed, or was elsewhere
  byte @Nullable [] open(byte[] stored, long extent) {
    int text = stored.length - TEXT;
    if (stored[PageImage.CIPHER] != CIPHER || text < SessionCipher.TAG_BYTES) {
      return null;
    }
    Session its = new Session(i64(stored, SESSION), i64(stored, SESSION + 8));
    byte[] image = new byte[stored.length - OVERHEAD_BYTES];
    if (!cipher(its)
        .open(
            DOMAIN,
            i64(stored, NUMBER),
            additional(stored, extent),
            stored,
            TEXT,
            text,
            image,
            PageImage.HEADER_BYTES)) {
      return null;
    }
    System.arraycopy(stored, 0, image, 0, PageImage.HEADER_BYTES);
    image[PageImage.CIPHER] = 0;
    putI32(image, PageImage.LENGTH, i32(stored, PageImage.LENGTH) - OVERHEAD_BYTES);
    return image;
  }

  private SessionCipher cipher(Session its) {
    SessionCipher cipher = known.get(its);
    return cipher != null
        ? cipher
        : known.computeIfAbsent(its, other -> key.cipher(Purpose.PAGES, other));
  }

  private static byte[] additional(byte[] stored, long extent) {
    int header = PageImage.HEADER_BYTES - PageImage.KIND;
    byte[] additional = new byte[header + Long.BYTES];
    System.arraycopy(stored, PageImage.KIND, additional, 0, header);
    putI64(additional, header, extent);
    return additional;
  }
}
