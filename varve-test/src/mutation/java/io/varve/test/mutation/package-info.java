/// What mutation testing needs in addition to pitest: a sample of the mutants, and simulated
/// histories as tests of their own. Compiled by the profile `mutation` only.
@NullMarked
package io.varve.test.mutation;

import org.jspecify.annotations.NullMarked;
