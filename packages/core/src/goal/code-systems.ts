/** FHIR's goal achievement status codes, each with FHIR's display. */
export const achievementStatuses = {
  system: 'http://terminology.hl7.org/CodeSystem/goal-achievement',
  displays: {
    'in-progress': 'In Progress',
    improving: 'Improving',
    worsening: 'Worsening',
    'no-change': 'No Change',
    achieved: 'Achieved',
    sustaining: 'Sustaining',
    'not-achieved': 'Not Achieved',
    'no-progress': 'No Progress',
    'not-attainable': 'Not Attainable',
  },
} as const;

/** FHIR's goal priority codes, each with FHIR's display. */
export const priorities = {
  system: 'http://terminology.hl7.org/CodeSystem/goal-priority',
  displays: {
    'high-priority': 'High Priority',
    'medium-priority': 'Medium Priority',
    'low-priority': 'Low Priority',
  },
} as const;

/** A code of FHIR's goal achievement statuses. */
export type AchievementStatus = keyof typeof achievementStatuses.displays;
/** A code of FHIR's goal priorities. */
export type Priority = keyof typeof priorities.displays;

/** A code system, as far as goals use it. */
export type CodeSystem<Code extends string, System extends string = string> = {
  readonly system: System;
  readonly displays: Readonly<Record<Code, string>>;
};
