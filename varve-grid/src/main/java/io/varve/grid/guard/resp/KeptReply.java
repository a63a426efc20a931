package io.varve.grid.guard.resp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.infinispan.server.resp.serialization.bytebuf.ByteBufResponseWriter;

/// The reply of a command of Infinispan that is changed before it is written.
final class KeptReply {
  private KeptReply() {}

  /// What a command writes that waits for nothing. Called by the event loop of the connection.
  static ByteBuf of(Resp3Handler handler, Runnable command) {
    ByteBuf kept = Unpooled.buffer();
    ResponseWriter writer = handler.writer(new ByteBufResponseWriter(kept::ensureWritable));
    try {
      command.run();
    } finally {
      handler.writer(writer);
    }
    return kept;
  }
}
