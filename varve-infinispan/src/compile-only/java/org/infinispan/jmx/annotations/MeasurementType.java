package org.infinispan.jmx.annotations;

/// Seen by the compiler alone, as [org.infinispan.factories.scopes.Scopes] is.
public enum MeasurementType {
  DYNAMIC,
  TRENDSUP
}
