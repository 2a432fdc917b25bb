/** The sections of what can be staged, and entered in error. */
export const sections = { Goal: 'goals', Immunization: 'immunizations', ServiceRequest: 'orders' } as const;

/** A section whose heading gets the focus: the button that had it may be gone. */
export type FocusedSection = (typeof sections)[keyof typeof sections];
