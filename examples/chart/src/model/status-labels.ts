import type { CareTeam, Goal, Immunization, ServiceRequest } from './resources.ts';

type Status =
  | CareTeam['status']
  | Goal['lifecycleStatus']
  | Immunization['status']
  | ServiceRequest['status'];

/** The words of the chart for a status. */
export const statusLabels: Readonly<Record<Status, string>> = {
  proposed: 'Proposed',
  draft: 'Draft',
  active: 'Active',
  suspended: 'Suspended',
  inactive: 'Inactive',
  completed: 'Completed',
  'not-done': 'Not given',
  'entered-in-error': 'Entered in error',
};
