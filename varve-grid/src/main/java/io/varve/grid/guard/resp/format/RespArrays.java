package io.varve.grid.guard.resp.format;

import java.util.ArrayList;
import java.util.List;
import org.infinispan.server.resp.RespDecoder;
import org.infinispan.server.resp.RespServer;

/// Infinispan's decoder of RESP, which takes memory for elements as they come. Its own takes memory
/// for as many as an array announces, before the client has logged in.
public final class RespArrays extends RespDecoder {
  private static final int ELEMENTS_AT_FIRST = 16;

  public RespArrays(RespServer server) {
    super(server);
  }

  /// The bytes that wait for the commands before them, or for the rest of their own.
  public int bufferedBytes() {
    return internalBuffer().readableBytes();
  }

  @Override
  protected <T> List<T> allocList(int count) {
    return new ArrayList<>(Math.min(count, ELEMENTS_AT_FIRST));
  }
}
