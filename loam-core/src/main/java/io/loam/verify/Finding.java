package io.loam.verify;

/**
 * Something wrong with an object.
 *
 * @param object its path in the warehouse
 * @param problem what kind of thing is wrong
 * @param facts values that show it; where it is wrong in several places, those of the first
 */
public record Finding(String object, String problem, String facts) {}
