/// Counts of words: what reads the words of a text, what holds texts by key and counts the words of
/// all of them, and texts to count.
@NullMarked
package io.varve.bench.words;

import org.jspecify.annotations.NullMarked;
