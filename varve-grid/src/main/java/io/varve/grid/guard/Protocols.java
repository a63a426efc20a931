package io.varve.grid.guard;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.varve.grid.guard.connection.Answers;
import io.varve.grid.guard.connection.Limits;
import io.varve.grid.guard.connection.RareLog;
import io.varve.grid.guard.connection.RequestThreads;
import io.varve.grid.guard.hotrod.HotRodPipeline;
import io.varve.grid.guard.http.HttpPipeline;
import io.varve.grid.guard.http.NoHttp;
import io.varve.grid.guard.login.Logins;
import io.varve.grid.guard.memcached.MemcachedLogins;
import io.varve.grid.guard.memcached.MemcachedPipeline;
import io.varve.grid.guard.memcached.MemcachedValues;
import io.varve.grid.guard.resp.RespPipeline;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import org.infinispan.rest.RestServer;
import org.infinispan.server.core.ProtocolDetector;
import org.infinispan.server.core.ProtocolServer;
import org.infinispan.server.hotrod.HotRodServer;
import org.infinispan.server.memcached.MemcachedServer;
import org.infinispan.server.resp.RespDecoder;
import org.infinispan.server.resp.RespDetector;
import org.infinispan.server.resp.RespServer;

/// Puts our handlers among those that Infinispan has given a connection, by the port that it came
/// to: that of all protocols, or that of one.
final class Protocols {
  private final Collection<ProtocolServer<?>> servers;
  private final Limits limits;
  private final RareLog log;
  private final RequestThreads commandThreads;
  private final HttpPipeline http;

  /// @param servers of the protocols, that have started
  /// @param threads that carry out requests of HTTP
  /// @param commandThreads that carry out commands of RESP that wait
  Protocols(
      Collection<ProtocolServer<?>> servers,
      Limits limits,
      RareLog log,
      RequestThreads threads,
      RequestThreads commandThreads) {
    this.servers = List.copyOf(servers);
    this.limits = limits;
    this.log = log;
    this.commandThreads = commandThreads;
    this.http = new HttpPipeline(shared(RestServer.class), limits, threads);
    Logins.withhold(servers);
    servers.forEach(MemcachedLogins::install);
  }

  /// The server of a protocol that has no port of its own.
  private <T extends ProtocolServer<?>> T shared(Class<T> type) {
    return servers.stream()
        .filter(server -> type.isInstance(server) && !server.getConfiguration().startTransport())
        .map(type::cast)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no server: type=" + type.getName()));
  }

  /// The server of a protocol whose port a connection came to.
  private <T extends ProtocolServer<?>> T ofPort(Channel channel, Class<T> type) {
    int port = channel.localAddress() instanceof InetSocketAddress local ? local.getPort() : 0;
    return servers.stream()
        .filter(server ->
            type.isInstance(server)
                && server.getConfiguration().startTransport()
                && server.getTransport().getPort() == port)
        .map(type::cast)
        .findFirst()
        .orElseThrow(() ->
            new IllegalStateException("no server: type=" + type.getName() + ", port=" + port));
  }

  /// A handler that changes those of a pipeline as soon as it has them, and removes itself.
  ChannelHandler installer() {
    return new ChannelHandlerAdapter() {
      @Override
      public void handlerAdded(ChannelHandlerContext ctx) {
        install(ctx.pipeline());
        ctx.pipeline().remove(this);
      }
    };
  }

  private void install(ChannelPipeline pipeline) {
    for (ProtocolServer<?> server : servers) {
      if (server instanceof MemcachedServer memcached) {
        MemcachedValues.bound(memcached, limits);
      }
    }
    if (pipeline.get(RespDetector.class) != null) {
      installDetector(pipeline);
      http.install(pipeline);
    } else if (pipeline.get(RespDecoder.class) != null) {
      pipeline.addBefore(
          pipeline.context(RespDecoder.class).name(), "varve-answers", new Answers());
      new RespPipeline(ofPort(pipeline.channel(), RespServer.class), limits, log, commandThreads)
          .guard(pipeline);
    } else if (!http.install(pipeline)) {
      ChannelHandlerContext detector = pipeline.context(ProtocolDetector.class);
      if (detector == null) {
        pipeline.addAfter("varve-connection", "varve-answers", new Answers());
      } else {
        pipeline.addBefore(detector.name(), "varve-answers", new Answers());
        pipeline.addBefore(detector.name(), "varve-frames", new FrameFilter(limits, log));
        var memcached = ofPort(pipeline.channel(), MemcachedServer.class);
        var own = new MemcachedPipeline.Detector(memcached);
        pipeline.replace(detector.name(), own.getName(), own);
      }
      pipeline.addAfter("varve-connection", "varve-no-http", new NoHttp());
    }
  }

  /// Replaces the detectors of Hot Rod, RESP and memcached.
  private void installDetector(ChannelPipeline pipeline) {
    var resp = new RespPipeline(shared(RespServer.class), limits, log, commandThreads);
    var hotRod = new HotRodPipeline(shared(HotRodServer.class));
    var detector = new FirstLine(hotRod, resp, shared(MemcachedServer.class), limits, log);
    pipeline.addBefore(
        pipeline.context(ProtocolDetector.class).name(), detector.getName(), detector);
    for (String name : List.copyOf(pipeline.names())) {
      if (pipeline.get(name) instanceof ProtocolDetector replaced
          && !replaced.equals(detector)
          && pipeline.names().indexOf(name) > pipeline.names().indexOf(detector.getName())) {
        pipeline.remove(name);
      }
    }
  }
}
