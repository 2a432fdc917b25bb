import * as E from 'fp-ts/lib/Either.js';
import type { CareTeamRole } from '../care-team/model.ts';
import type { ChartRecord } from '../chart/command.ts';
import type { DirectoryRecords } from '../directory/directory.ts';
import { displayOf } from '../directory/display-of.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalTask, type Issue, ruleViolation } from '../errors.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import type { SourceDetails, SourceReading } from '../fhir/source-resource.ts';
import { createGoalSourceReader, nameGoalAuthors } from '../goal/import.ts';
import { goalRecordDefinition } from '../goal/record-definition.ts';
import { createServiceRequestSourceReader, nameRequester } from '../service-request/import.ts';
import { serviceRequestIssue } from '../service-request/issues.ts';
import { beginsBeforeItEnds } from '../service-request/period.ts';
import { defineServiceRequestRecord } from '../service-request/record-definition.ts';
import { createCareTeamImporter } from './care-team-importer.ts';
import { createIncompleteDeferral } from './defer-incomplete.ts';
import { createDirectoryImporters, type ImportedEntryType } from './directory-importers.ts';
import { createImmunizationImporter } from './immunization-importer.ts';
import { createRecordImporter, type PreparedRecord } from './record-importer.ts';
import { canImportWithout, type ResourceImporter } from './resource-importer.ts';

/** What takes in the resources of each type for which there is a place here. */
export const createResourceImporters = (
  environment: Environment,
  { directory, roles }: { readonly directory: DirectoryRecords; readonly roles: readonly CareTeamRole[] },
): Readonly<Record<ImportedEntryType | ResourceType, ResourceImporter>> => {
  const { zone } = environment;
  const createImporter = createRecordImporter(environment);

  /** The record of a patient who is known. */
  const requirePatient =
    (subject: string) =>
    <Body>({ id, patientId, commands }: ChartRecord<Body>): ClinicalTask<PreparedRecord<Body>> =>
    async () => {
      const patient = await directory.require('Patient', patientId, subject)();
      return E.isLeft(patient) ? patient : E.right({ record: { id, patientId, commands }, sideChanges: [] });
    };

  /** Adds the names of the practitioners to whom a resource refers, and reports who is not known: the reference stays. */
  const addNames =
    <Chart>(nameAuthors: (record: Chart, displays: ReadonlyMap<string, string>) => Chart) =>
    (
      { practitioners }: SourceDetails,
      record: Chart,
      mayFollow: boolean,
    ): ClinicalTask<SourceReading<Chart>> =>
    async () => {
      const issues: Issue[] = [];
      const displays = new Map<string, string>();
      for (const { id, element } of practitioners) {
        const practitioner = await directory.require('Practitioner', id, element)();
        if (E.isRight(practitioner)) displays.set(id, displayOf(practitioner.right.state));
        else if (canImportWithout(practitioner.left, mayFollow)) issues.push(...practitioner.left.issues);
        else return practitioner;
      }
      return E.right({ value: nameAuthors(record, displays), issues });
    };

  const orderFromFhir = createServiceRequestSourceReader(environment);
  const readOrder: typeof orderFromFhir = (resource) => {
    const order = orderFromFhir(resource);
    return E.isLeft(order) || beginsBeforeItEnds(order.right.value.commands[0]?.body.occurrencePeriod, zone)
      ? order
      : E.left(ruleViolation(serviceRequestIssue('period-order', 'ServiceRequest.occurrencePeriod')));
  };

  const deferUntilReferenced = createIncompleteDeferral(environment, directory);
  const { Encounter, ...others } = createDirectoryImporters(environment, directory);
  return {
    ...others,
    Encounter: deferUntilReferenced(Encounter),
    ServiceRequest: deferUntilReferenced(
      createImporter({
        recordDefinition: defineServiceRequestRecord(zone),
        read: readOrder,
        prepare: requirePatient('ServiceRequest.subject'),
        complete: addNames(nameRequester),
      }),
    ),
    Goal: deferUntilReferenced(
      createImporter({
        recordDefinition: goalRecordDefinition,
        read: createGoalSourceReader(environment),
        prepare: requirePatient('Goal.subject'),
        complete: addNames(nameGoalAuthors),
      }),
    ),
    Immunization: deferUntilReferenced(createImmunizationImporter(environment, directory)),
    CareTeam: deferUntilReferenced(createCareTeamImporter(environment, { directory, roles })),
  };
};
