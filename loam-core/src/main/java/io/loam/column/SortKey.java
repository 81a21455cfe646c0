package io.loam.column;

/** One field to sort by; missing values come last unless {@code nullsFirst}. */
public record SortKey(int fieldNumber, boolean descending, boolean nullsFirst) {}
