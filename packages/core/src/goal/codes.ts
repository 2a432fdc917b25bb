/** FHIR's goal achievement status codes, each with FHIR's display. */
export const achievementStatuses = {
  'in-progress': 'In Progress',
  improving: 'Improving',
  worsening: 'Worsening',
  'no-change': 'No Change',
  achieved: 'Achieved',
  sustaining: 'Sustaining',
  'not-achieved': 'Not Achieved',
  'no-progress': 'No Progress',
  'not-attainable': 'Not Attainable',
} as const;

export const achievementSystem = 'http://terminology.hl7.org/CodeSystem/goal-achievement';

/** FHIR's goal priority codes, each with FHIR's display. */
export const priorities = {
  'high-priority': 'High Priority',
  'medium-priority': 'Medium Priority',
  'low-priority': 'Low Priority',
} as const;

export const prioritySystem = 'http://terminology.hl7.org/CodeSystem/goal-priority';

export type AchievementStatus = keyof typeof achievementStatuses;
export type Priority = keyof typeof priorities;
