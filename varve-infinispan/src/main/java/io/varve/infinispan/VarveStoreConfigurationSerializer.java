package io.varve.infinispan;

import org.infinispan.commons.configuration.io.ConfigurationWriter;
import org.infinispan.configuration.serializing.AbstractStoreSerializer;
import org.infinispan.configuration.serializing.ConfigurationSerializer;

/// Writes what a [VarveStoreConfigurationParser] reads.
public final class VarveStoreConfigurationSerializer extends AbstractStoreSerializer
    implements ConfigurationSerializer<VarveStoreConfiguration> {
  /// Made by Infinispan.
  public VarveStoreConfigurationSerializer() {}

  @Override
  public void serialize(ConfigurationWriter writer, VarveStoreConfiguration configuration) {
    writer.writeStartElement(VarveElement.VARVE_STORE);
    writer.writeDefaultNamespace(VarveStoreConfigurationParser.NAMESPACE);
    configuration.attributes().write(writer);
    writeCommonStoreElements(writer, configuration);
    writer.writeEndElement();
  }
}
