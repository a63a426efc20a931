/// Who clients are: files of users, turns for the comparison of passwords, and addresses that have
/// failed too often.
@NullMarked
package io.varve.grid.guard.login;

import org.jspecify.annotations.NullMarked;
