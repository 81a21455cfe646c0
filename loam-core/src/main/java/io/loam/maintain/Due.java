package io.loam.maintain;

/**
 * A task that is due.
 *
 * @param reason why, for people
 */
public record Due(Part part, Task task, String reason) {}
