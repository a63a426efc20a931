package io.varve.internal.map;
