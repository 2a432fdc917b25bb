import { createAccessReporter } from './access/access.ts';
import { type Reports, reportCalls } from './access/report-calls.ts';
import { chartReports } from './chart/chart.ts';
import type { ClinicalRecords } from './clinical-records.ts';
import { correctionReports } from './corrections/corrections.ts';
import { createRecords } from './create-records.ts';
import { directoryReports } from './directory/directory.ts';
import { exporterReports } from './exporter/exporter.ts';
import { type ClinicalRecordsOptions, createClock } from './options.ts';
import { provenanceReports } from './provenance/provenances.ts';
import type { Resources } from './resource-definition.ts';
import { resources, type Services } from './resources.ts';

/** Throws an Error on a Node that is older than `engines` in package.json allows. */
export const requireNode = (): void => {
  // Node 20 has no methods of sets and of iterators. Without this check, some calls would fail as if the store did.
  if ('intersection' in Set.prototype) return;
  throw new Error('This Node is too old: clinical-records needs Node 22.18.0 or newer.');
};

const reportsOf = (definitions: Resources) =>
  Object.fromEntries(
    Object.values(definitions).map(({ name, reports }) => [name, reports]),
  ) as Reports<Services>;

/** The reports of all functions that can name a user. */
const createReports = (
  definitions: Resources,
): Reports<Omit<ClinicalRecords, 'access' | 'bodies' | 'in' | 'transaction'>> => ({
  ...reportsOf(definitions),
  provenance: provenanceReports,
  chart: chartReports,
  directory: directoryReports,
  corrections: correctionReports,
  exporter: exporterReports,
});

/** The records of a host. If it has an `onAccess`, their calls that name a user are reported to it. */
export const reportRecords = <Connection>(
  unreported: ClinicalRecords<Connection>,
  { onAccess, clock = () => new Date() }: Pick<ClinicalRecordsOptions, 'onAccess' | 'clock'>,
  definitions: Resources = resources,
): ClinicalRecords<Connection> => {
  if (onAccess === undefined) return unreported;
  const report = createAccessReporter(onAccess, createClock(clock));
  const reported = reportCalls(unreported, createReports(definitions), report);
  return { ...unreported, ...reported, access: { report, unreported } };
};

/**
 * Creates the clinical records of a host on its store. Throws a TypeError for an option that is missing, has the wrong
 * type, or is unknown. Throws a RangeError for an unknown time zone, an invalid `extensionBase`, invalid `careTeamRoles`, or
 * `searchSteps` below 1. Throws an Error on a Node that is older than `engines` in package.json allows.
 *
 * Every function that reads or writes begins when it is called, and returns a promise. It rejects with a
 * `ClinicalRecordsError`. `changes` and `all` throw the same error. `in` throws an Error. A function that calls `clock` or
 * `newId` rejects if these throw, or if they return an invalid Date or id.
 *
 * @example
 * const records = createClinicalRecords({ store: createMemoryStore(), extensionBase, careTeamRoles: [] });
 */
export const createClinicalRecords = <Connection>(
  options: ClinicalRecordsOptions<Connection>,
): ClinicalRecords<Connection> => {
  requireNode();
  return reportRecords(createRecords(options, { isBegun: false }), options);
};
