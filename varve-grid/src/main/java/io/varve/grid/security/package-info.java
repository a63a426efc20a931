/// Who may use a node, and how what is said to it is encrypted: [io.varve.grid.security.Users] are
/// those of a node, kept as Infinispan's property realm has them; [io.varve.grid.security.Tls] is
/// the key that it shows. [io.varve.grid.security.SecurityOptions] decides which of them a node
/// needs.
///
/// Hashes and certificates are made by Infinispan's own tools. Nothing here knows what a node
/// serves.
@NullMarked
package io.varve.grid.security;

import org.jspecify.annotations.NullMarked;
