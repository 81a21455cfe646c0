package io.loam.bench;

/**
 * A document of the benchmark.
 *
 * @param topic a keyword with some tens of values
 * @param uses a number
 * @param body the text that is searched
 */
record Doc(long id, String topic, int uses, String body) {}
