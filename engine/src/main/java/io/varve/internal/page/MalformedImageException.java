package io.varve.internal.page;

/// An image makes no sense although its checksum is right: damage that was written with a checksum,
/// or a defect. A caller that knows where the image is makes a [io.varve.CorruptStoreException] of
/// it.
public final class MalformedImageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MalformedImageException(String what) {
    super(what);
  }

  public static void require(boolean holds, String what) {
    if (!holds) {
      throw new MalformedImageException(what);
    }
  }
}
