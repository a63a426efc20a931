/// Encryption at rest: the keys of a store, and what encrypts with them.
///
/// - **Knows:** the `keys` file, key-encryption keys that users give, the data key and what is
///   derived from it, AES-256-GCM of the JDK.
/// - **Must not know:** what is encrypted: pages and the log name it by a nonce and, where they
///   want to, by further data that is checked with it.
/// - **Entry:** [io.varve.internal.crypto.Keyring] for an open and a change of keys;
///   [io.varve.internal.crypto.DataKey] and [io.varve.internal.crypto.SessionCipher] for code that
///   encrypts.
/// - **Lock order:** takes no locks.
///
/// Key-encryption key (the user's, never stored) → data key (random, stored encrypted by it) → one
/// key for each purpose and [io.varve.internal.crypto.Session]. A session is random and begins with
/// each open, so a nonce need only be unique within the life of one process. A pair of key and
/// nonce never occurs twice. That is so for copies of a store that go different ways, after a
/// restore, and after a loss of power that took log back.
@NullMarked
package io.varve.internal.crypto;

import org.jspecify.annotations.NullMarked;
