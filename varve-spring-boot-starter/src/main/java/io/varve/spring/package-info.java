/// Caches and stores of Varve as beans of Spring Boot, made of the properties `varve.*`.
///
/// - **Knows:** which beans there are, what the properties are called, and where Spring Boot 3 and
///   4 have what they name otherwise.
/// - **Must not know:** how caches and stores work; it sees their exported API alone.
/// - **Entry:** [VarveCacheAutoConfiguration] and [VarveStoreAutoConfiguration], which Spring Boot
///   finds by a list of names.
@NullMarked
package io.varve.spring;

import org.jspecify.annotations.NullMarked;
