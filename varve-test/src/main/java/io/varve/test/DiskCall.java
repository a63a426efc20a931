package io.varve.test;

/// One call of a simulated disk, before it has any effect.
///
/// @param operation what it does
/// @param name the file or directory it is about, relative to the store's directory
/// @param position where in the file it begins, in bytes; 0 if that has no meaning
/// @param length how many bytes it is about; 0 if that has no meaning
/// @param number how many mutating calls the disk has seen, this one included if it is one
public record DiskCall(
    DiskOperation operation, String name, long position, long length, long number) {}
