import { createChartSection } from '../chart/chart-section.ts';
import { moveRecord } from '../chart/move-record.ts';
import { omitChartReferences } from '../chart/omit-chart-references.ts';
import { addToNote } from '../directory/add-to-note.ts';
import { formatInstant } from '../fhir/date-time.ts';
import type { MovedRecord, MoveTarget, ResourceDefinition } from '../resource-definition.ts';
import { defineImmunizationCommands } from './commands.ts';
import { immunizationFacts } from './facts.ts';
import { createImmunizations, type Immunizations, immunizationReports } from './immunizations.ts';
import { createImmunizationImporter } from './importer.ts';
import { type Immunization, type ImmunizationRecord, immunization as immunizationSchema } from './model.ts';
import { defineImmunizationRecord } from './record-definition.ts';
import { createBody, updateBody } from './request-bodies.ts';

/** An immunization is always in a note, so it gets a new one in the other chart. */
const move = (record: ImmunizationRecord, { patientId, at, newId }: MoveTarget): MovedRecord => {
  const noteId = newId();
  const dateOfService = formatInstant(at);
  const note = { id: noteId, patientId, encounterId: null, title: null, dateOfService };
  return {
    state: moveRecord(record, patientId, (body) => ({
      ...body,
      elements: omitChartReferences(body.elements),
      note: omitChartReferences(body.note),
      noteId,
      encounterId: null,
    })),
    sideChanges: addToNote(record.id, { note, isNew: true }, at),
  };
};

export const immunization: ResourceDefinition<'Immunization', 'immunizations', Immunization, Immunizations> =
  {
    ...immunizationFacts,
    name: 'immunizations',
    schema: immunizationSchema,
    requests: {
      create: { body: createBody, errorTags: ['InvalidRequest', 'NotSupported', 'RuleViolation'] },
      update: {
        body: updateBody,
        errorTags: ['InvalidRequest', 'NotSupported', 'RuleViolation', 'PreconditionFailed'],
      },
    },
    defineRecord: defineImmunizationRecord,
    createService: (environment, { directory, includes }) =>
      createImmunizations(environment, directory, includes),
    reports: immunizationReports,
    writes: ['create', 'update'],
    createCommands: (environment, directory) =>
      createChartSection(environment, directory, defineImmunizationCommands(environment)),
    defineImport: (environment) => ({
      importResource: createImmunizationImporter(environment),
      requiresEncounter: true,
    }),
    move,
  };
