package io.varve.cli.demo;

import java.nio.file.Path;
import java.util.List;

/// What the user asked the demonstration to do.
///
/// @param directory where the store goes
/// @param source a directory or zip of text files
/// @param threads how many transactions are under way at a time
/// @param secondsMax when to cut the work short, so that it ends about then
/// @param words words to look for, at least two
public record DemoOptions(
    Path directory, Path source, int threads, int secondsMax, List<String> words) {}
