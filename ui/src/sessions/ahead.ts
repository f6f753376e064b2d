// The sessions that are at hand when their page is opened.

/** How many, more than a screen holds. */
export const FIRST = 60;
/** The name they are loaded under. */
export const LATEST = "sessions.latest";
