/// What a node knows of the others now: that most of them still count it in
/// ([io.varve.grid.member.Lease]), so that it may answer ([io.varve.grid.member.LeaseGuard]), and
/// which of them have died ([io.varve.grid.member.DeathCheck]). Two of these are protocols of
/// JGroups, named by the configuration of a cluster.
@NullMarked
package io.varve.grid.member;

import org.jspecify.annotations.NullMarked;
