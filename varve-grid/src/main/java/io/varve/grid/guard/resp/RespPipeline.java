package io.varve.grid.guard.resp;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.varve.grid.guard.connection.Limits;
import io.varve.grid.guard.connection.RareLog;
import io.varve.grid.guard.connection.RequestThreads;
import io.varve.grid.guard.resp.format.RespArrays;
import org.infinispan.server.resp.RespDecoder;
import org.infinispan.server.resp.RespHandler;
import org.infinispan.server.resp.RespServer;

/// The handlers of RESP: those of Infinispan's server, with ours around its decoder.
public final class RespPipeline {
  private final RespServer server;
  private final Limits limits;
  private final RareLog log;
  private final RequestThreads commandThreads;

  public RespPipeline(
      RespServer server, Limits limits, RareLog log, RequestThreads commandThreads) {
    this.server = server;
    this.limits = limits;
    this.log = log;
    this.commandThreads = commandThreads;
  }

  /// Adds all handlers.
  public void addTo(ChannelPipeline pipeline) {
    pipeline.addLast(server.getInitializer());
    guard(pipeline);
  }

  /// Adds ours to a pipeline that has Infinispan's.
  public void guard(ChannelPipeline pipeline) {
    var decoder = new RespArrays(server);
    pipeline.replace(RespDecoder.class, "varve-arrays", decoder);
    ChannelHandlerContext handler = pipeline.context(RespHandler.class);
    var replies = new RespReplies();
    commandThreads.takeCommandsOf(pipeline.channel());
    pipeline.addBefore(
        "varve-arrays", "varve-requests", new RespRequests(limits.valueBytesMax(), decoder, log));
    pipeline.addBefore(handler.name(), "varve-replies", replies);
    var calls = new RespCalls(server, decoder, replies);
    pipeline.replace(handler.name(), "varve-calls", calls);
    pipeline.addLast("varve-pushes", new Pushes(calls));
  }
}
