package io.varve.cache.marshal;

import org.infinispan.protostream.GeneratedSchema;
import org.infinispan.protostream.annotations.ProtoSchema;
import org.infinispan.protostream.annotations.ProtoSyntax;

/// What ProtoStream's processor makes the schema of the tests' classes from.
@ProtoSchema(
    includeClasses = {Book.class, Counted.class, Shelf.class},
    schemaFileName = "book.proto",
    schemaFilePath = "proto",
    schemaPackageName = "io.varve.test",
    syntax = ProtoSyntax.PROTO3)
public interface BookSchema extends GeneratedSchema {}
