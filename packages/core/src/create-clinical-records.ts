import { createAccessReporter } from './access/access-reporter.ts';
import { reportCalls } from './access/report-calls.ts';
import type { ClinicalRecords } from './clinical-records.ts';
import { reportCorrections } from './corrections/report-corrections.ts';
import { createRecords } from './create-records.ts';
import { createClock } from './environment.ts';
import type { ClinicalRecordsOptions } from './options.ts';
import { requireNode } from './store/require-node.ts';

/**
 * Creates the clinical records of a host on its store. Throws a TypeError for an option that is missing or has the
 * wrong type. Throws a RangeError for an unknown time zone, an invalid `extensionBase`, invalid `careTeamRoles`, or
 * `searchSteps` below 1. Throws an Error on a Node that is older than `engines` in package.json allows.
 *
 * Every function that reads or writes returns a `Result`, which rejects with a `ClinicalRecordsError` if it is awaited.
 * `changes` and `all` throw the same error. `in` throws an Error. A function that calls `clock` or `newId` throws if
 * these throw, or if they return an invalid Date or id.
 *
 * @example
 * const records = createClinicalRecords({ store: createMemoryStore(), extensionBase, careTeamRoles: [] });
 */
export const createClinicalRecords = (options: ClinicalRecordsOptions): ClinicalRecords => {
  requireNode();
  const unreported = createRecords(options, { isBegun: false });
  const { onAccess, clock = () => new Date() } = options;
  if (onAccess === undefined) return unreported;
  const report = createAccessReporter(onAccess, createClock(clock));
  const { serviceRequests, goals, careTeams, immunizations, provenance } = unreported;
  const { chart, directory, corrections, exporter } = unreported;
  return {
    ...unreported,
    serviceRequests: reportCalls(serviceRequests, { type: 'ServiceRequest', report }),
    goals: reportCalls(goals, { type: 'Goal', report }),
    careTeams: reportCalls(careTeams, { type: 'CareTeam', report }),
    immunizations: reportCalls(immunizations, { type: 'Immunization', report }),
    provenance: reportCalls(provenance, { type: 'Provenance', report }),
    chart: reportCalls(chart, { type: null, report }),
    directory: reportCalls(directory, { type: null, report }),
    corrections: reportCorrections(corrections, report),
    exporter: reportCalls(exporter, { type: 'Patient', report }),
    access: { report, unreported },
  };
};
