package io.varve.grid.member;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jgroups.Address;
import org.jgroups.protocols.pbcast.GMS;

/// Has the coordinator of the largest side continue when sides of a cluster meet.
///
/// JGroups takes that of the lowest address, which is random: so a node that came back, heard no
/// other node and began alone may become the coordinator of all others when it meets them. It would
/// then collect which node owns what while it joins their caches itself. Of sides of one size, that
/// of the lowest address coordinates, as with JGroups.
public final class LargestSideCoordinates extends GMS.DefaultMembershipPolicy {
  private static final Comparator<Collection<Address>> LARGEST_FIRST =
      Comparator.<Collection<Address>>comparingInt(Collection::size)
          .reversed()
          .thenComparing(side -> side.iterator().next());

  /// Made by JGroups, by the name that its configuration has.
  public LargestSideCoordinates() {}

  @Override
  public List<Address> getNewMembership(Collection<Collection<Address>> sides) {
    Set<Address> members = new LinkedHashSet<>(); // A node may be in the views of two sides.
    sides.stream().filter(side -> !side.isEmpty()).sorted(LARGEST_FIRST).forEach(members::addAll);
    return new ArrayList<>(members);
  }
}
