import { createAccessReporter } from './access/access-reporter.ts';
import { reportCalls } from './access/report-calls.ts';
import type { Reports } from './access/reports.ts';
import { careTeamReports } from './care-team/care-teams.ts';
import { chartReports } from './chart/chart.ts';
import type { ClinicalRecords } from './clinical-records.ts';
import { correctionReports } from './corrections/corrections.ts';
import { createRecords } from './create-records.ts';
import { directoryReports } from './directory/directory.ts';
import { createClock } from './environment.ts';
import { exporterReports } from './exporter/exporter.ts';
import { goalWriteReports } from './goal/goal-writes.ts';
import { immunizationReports } from './immunization/immunizations.ts';
import type { ClinicalRecordsOptions } from './options.ts';
import { provenanceReports } from './provenance/provenances.ts';
import { readReports } from './records/read-reports.ts';
import { requireNode } from './store/require-node.ts';

/** The reports of all functions that can name a user. */
const reports: Reports<Omit<ClinicalRecords, 'access' | 'in'>> = {
  serviceRequests: { ...readReports('ServiceRequest'), asJson: readReports('ServiceRequest') },
  goals: { ...readReports('Goal'), asJson: { ...readReports('Goal'), ...goalWriteReports } },
  careTeams: careTeamReports,
  immunizations: immunizationReports,
  provenance: provenanceReports,
  chart: chartReports,
  directory: directoryReports,
  corrections: correctionReports,
  exporter: exporterReports,
};

/**
 * Creates the clinical records of a host on its store. Throws a TypeError for an option that is missing or has the
 * wrong type. Throws a RangeError for an unknown time zone, an invalid `extensionBase`, invalid `careTeamRoles`, or
 * `searchSteps` below 1. Throws an Error on a Node that is older than `engines` in package.json allows.
 *
 * Every function that reads or writes begins when it is called, and returns a promise. It rejects with a
 * `ClinicalRecordsError`. `changes` and `all` throw the same error. `in` throws an Error. A function that calls `clock` or
 * `newId` rejects if these throw, or if they return an invalid Date or id.
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
  return { ...unreported, ...reportCalls(unreported, reports, report), access: { report, unreported } };
};
