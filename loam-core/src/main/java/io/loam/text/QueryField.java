package io.loam.text;

/**
 * A text field that a query searches.
 *
 * @param analyzer the field's analyzer, as {@link Analyzers} names it
 * @param boost factor of the field's scores, 1e-3 to 1e3
 */
public record QueryField(int fieldNumber, String analyzer, double boost) {}
