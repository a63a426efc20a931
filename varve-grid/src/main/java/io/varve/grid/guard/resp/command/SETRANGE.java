package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.resp.command.StringChange.Outcome;
import io.varve.grid.guard.resp.format.RespNumbers;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.commands.ArgumentUtils;
import org.jspecify.annotations.Nullable;

/// Infinispan's command, with the time to live of [StringChange]. Its own writes into the bytes
/// that other clients read just then. A command is called as its class is.
public final class SETRANGE extends org.infinispan.server.resp.commands.string.SETRANGE {
  private static final Outcome NEGATIVE =
      new Outcome.Unchanged(writer -> writer.customError("offset is out of range"));

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    int offset = ArgumentUtils.toInt(arguments.get(1));
    byte[] patch = arguments.get(2);
    return StringChange.perform(
        handler,
        ctx,
        arguments.getFirst(),
        value -> patched(value, offset, patch),
        (bytes, writer) -> writer.integers(bytes.length));
  }

  /// Whether a value stays as short as it may be when the bytes are written.
  static boolean fits(List<byte[]> arguments, long valueBytesMax) {
    long offset = RespNumbers.toLong(arguments.get(1));
    int length = arguments.get(2).length;
    return offset < 0 || length == 0 || offset <= valueBytesMax - length;
  }

  private static Outcome patched(byte @Nullable [] value, int offset, byte[] patch) {
    if (offset < 0) {
      return NEGATIVE;
    }
    int length = value == null ? 0 : value.length;
    if (patch.length == 0) {
      return new Outcome.Unchanged(
          writer -> writer.integers(length)); // Nothing is changed or made.
    }
    byte[] changed = new byte[Math.max(length, offset + patch.length)];
    if (value != null) {
      System.arraycopy(value, 0, changed, 0, length);
    }
    System.arraycopy(patch, 0, changed, offset, patch.length);
    return new Outcome.Changed(changed);
  }
}
