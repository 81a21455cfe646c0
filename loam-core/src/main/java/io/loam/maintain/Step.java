package io.loam.maintain;

/**
 * What maintenance did.
 *
 * @param detail for people
 * @param version that it made, or 0 where it made none
 */
public record Step(Part part, String detail, long version) {}
