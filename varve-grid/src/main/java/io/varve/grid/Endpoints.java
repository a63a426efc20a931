package io.varve.grid;

import io.varve.grid.node.CacheContainer;
import io.varve.grid.node.ConfigurationLayer;
import io.varve.grid.node.NodeException;
import io.varve.grid.node.PortEncryption;
import io.varve.grid.security.Protection;
import io.varve.grid.security.Tls;
import io.varve.grid.security.Users;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/// Where a node listens, and for whom: the `server` element of Infinispan's configuration. What a
/// user typed is in properties, which the element names.
///
/// @param bindAddress of all ports
/// @param port that all protocols share, which works for clients that show theirs immediately
/// @param respPort of RESP alone, if there is one
/// @param memcachedPort of memcached alone, if there is one
/// @param valueBytesMax the longest request that is read
record Endpoints(
    String bindAddress,
    int port,
    OptionalInt respPort,
    OptionalInt memcachedPort,
    long valueBytesMax,
    Protection protection) {
  private static final String NAMESPACE = "urn:infinispan:config:16.0";
  private static final String SERVER_NAMESPACE = "urn:infinispan:server:16.0";

  ConfigurationLayer layer() {
    var text = new StringWriter();
    try {
      write(new Xml(XMLOutputFactory.newInstance().createXMLStreamWriter(text)));
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
    return ConfigurationLayer.made("endpoints.xml", text.toString());
  }

  /// Refuses ports that others have, before a node begins to start.
  ///
  /// @throws NodeException if there is one
  void requireFree() {
    List<Integer> ports = new ArrayList<>(List.of(port));
    respPort.ifPresent(ports::add);
    memcachedPort.ifPresent(ports::add);
    for (int wanted : ports) {
      try (ServerSocket socket = new ServerSocket()) {
        socket.setReuseAddress(
            true); // as the server does, which may follow another that has just ended
        socket.bind(new InetSocketAddress(bindAddress, wanted));
      } catch (IOException e) {
        throw new NodeException(
            "cannot listen: address="
                + bindAddress
                + ", port="
                + wanted
                + ", reason="
                + e.getMessage()
                + "; name others by --bind and --port",
            e);
      }
    }
  }

  Map<String, String> properties() {
    Map<String, String> properties = new HashMap<>();
    properties.put("varve.bind-address", bindAddress);
    properties.put("varve.port", Integer.toString(port));
    properties.put("varve.value-max", Long.toString(valueBytesMax));
    // Of each cache: whether it asks what a user may do with it.
    properties.put("varve.authorization", Boolean.toString(protection.users()));
    Tls tls = protection.tls();
    if (tls != null) {
      properties.put(PortEncryption.KEYSTORE, tls.keystore().toString());
      properties.put(PortEncryption.PASSWORD, tls.password());
    }
    return properties;
  }

  private void write(Xml xml) throws XMLStreamException {
    xml.comment(" Written again at each start: what is changed here is lost. ");
    xml.open("infinispan", "xmlns", NAMESPACE);
    if (protection.users()) {
      xml.open("cache-container", "name", "default").open("security").empty("authorization");
      xml.close().close();
    }
    xml.open("server", "xmlns", SERVER_NAMESPACE);
    writeAddresses(xml);
    if (protection.needsRealm()) {
      writeRealm(xml);
    }
    writeConnectors(xml);
    xml.close().close();
    xml.end();
  }

  private void writeAddresses(Xml xml) throws XMLStreamException {
    xml.open("interfaces").open("interface", "name", "public");
    xml.empty("inet-address", "value", "${varve.bind-address}");
    xml.close().close();
    xml.open("socket-bindings", "default-interface", "public", "port-offset", "0");
    xml.empty("socket-binding", "name", "default", "port", "${varve.port}");
    if (respPort.isPresent()) {
      xml.empty("socket-binding", "name", "resp", "port", port(respPort));
    }
    if (memcachedPort.isPresent()) {
      xml.empty("socket-binding", "name", "memcached", "port", port(memcachedPort));
    }
    xml.close();
  }

  private static String port(OptionalInt port) {
    return Integer.toString(port.getAsInt());
  }

  private void writeRealm(Xml xml) throws XMLStreamException {
    xml.open("security").open("security-realms").open("security-realm", "name", Users.REALM);
    if (protection.tls() != null) {
      xml.open("server-identities").open("ssl");
      xml.empty("keystore", "path", "${varve.tls.keystore}", "password", "${varve.tls.password}");
      xml.close().close();
    }
    if (protection.users()) {
      xml.open("properties-realm", "groups-attribute", "Roles");
      xml.empty("user-properties", "path", "users.properties");
      xml.empty("group-properties", "path", "groups.properties");
      xml.close();
    }
    xml.close().close().close();
  }

  private void writeConnectors(Xml xml) throws XMLStreamException {
    xml.open("endpoints");
    xml.open("endpoint", "socket-binding", "default");
    if (protection.users()) { // PortEncryption does what a realm without users would.
      xml.attribute("security-realm", Users.REALM);
    }
    writeConnector(xml, "hotrod-connector");
    writeConnector(xml, "rest-connector");
    writeConnector(xml, "resp-connector", "cache", CacheContainer.DEFAULT_CACHE);
    writeConnector(
        xml, "memcached-connector", "cache", CacheContainer.MEMCACHED_CACHE, "protocol", "AUTO");
    if (respPort.isPresent()) {
      writeOwnConnector(xml, "resp-connector", "resp", CacheContainer.DEFAULT_CACHE);
    }
    if (memcachedPort.isPresent()) {
      writeOwnConnector(xml, "memcached-connector", "memcached", CacheContainer.MEMCACHED_CACHE);
    }
    xml.close().close();
  }

  private static void writeConnector(Xml xml, String element, String... attributes)
      throws XMLStreamException {
    xml.empty(element, attributes);
    xml.attribute("max-content-length", "${varve.value-max}");
  }

  private void writeOwnConnector(Xml xml, String element, String binding, String cache)
      throws XMLStreamException {
    xml.open(element, "name", binding, "socket-binding", binding);
    xml.attribute("cache", cache);
    xml.attribute("max-content-length", "${varve.value-max}");
    if (protection.tls() != null) {
      xml.empty("encryption", "security-realm", Users.REALM);
    }
    xml.close();
  }

  /// Elements with the attributes that they have, each on a line of its own.
  private static final class Xml {
    private final XMLStreamWriter writer;
    private int depth;
    private boolean endsLine;

    Xml(XMLStreamWriter writer) {
      this.writer = writer;
    }

    Xml open(String element, String... attributes) throws XMLStreamException {
      breakLine(depth++);
      writer.writeStartElement(element);
      for (int at = 0; at < attributes.length; at += 2) {
        attribute(attributes[at], attributes[at + 1]);
      }
      endsLine = false;
      return this;
    }

    void attribute(String name, String value) throws XMLStreamException {
      writer.writeAttribute(name, value);
    }

    void empty(String element, String... attributes) throws XMLStreamException {
      breakLine(depth);
      writer.writeEmptyElement(element);
      for (int at = 0; at < attributes.length; at += 2) {
        attribute(attributes[at], attributes[at + 1]);
      }
      endsLine = true;
    }

    Xml close() throws XMLStreamException {
      depth--;
      if (endsLine) {
        breakLine(depth);
      }
      writer.writeEndElement();
      endsLine = true;
      return this;
    }

    void comment(String text) throws XMLStreamException {
      writer.writeComment(text);
    }

    void end() throws XMLStreamException {
      writer.writeEndDocument();
      writer.close();
    }

    private void breakLine(int indent) throws XMLStreamException {
      writer.writeCharacters("\n" + "  ".repeat(indent));
    }
  }
}
