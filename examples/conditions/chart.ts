import { createClinicalRecords } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { type Allergy, allergy } from './allergy.ts';
import { condition } from './condition.ts';

const snomed = 'http://snomed.info/sct';
const by = 'Practitioner/12';

const openRecords = () =>
  createClinicalRecords({
    store: createMemoryStore(),
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [],
    types: [condition, allergy],
    rules: {
      AllergyIntolerance: async ({ after, before, chart }) => {
        const known = await chart.all('AllergyIntolerance');
        const isKnown = before === null && known.some(({ code }) => code.text === after.code.text);
        return isKnown
          ? [{ rule: 'acme-known-allergy', message: 'The allergy is known.', severity: 'warning' }]
          : [];
      },
    },
  });

const lineOf = ({ code, criticality }: Allergy): string => `Allergy: ${code.text} (${criticality})`;

/** Imports a problem, records an allergy and changes it, and returns what the chart says then. */
export const describeChart = async (): Promise<readonly string[]> => {
  const records = openRecords();
  const lines: string[] = [];
  await records.directory.put('Practitioner', { id: '12', lastName: 'Byron', firstName: 'Ada' });
  await records.directory.put('Patient', { id: '7', lastName: 'Shaw', firstName: 'Amy' });

  const { imported, lostElements } = await records.importer.load([
    {
      resourceType: 'Condition',
      id: 'hypertension',
      clinicalStatus: { coding: [{ code: 'active' }] },
      category: [{ coding: [{ code: 'problem-list-item' }] }],
      severity: { text: 'Mild' },
      code: { coding: [{ system: snomed, code: '38341003' }], text: 'Hypertension' },
      subject: { reference: 'Patient/7' },
    },
  ]);
  lines.push(`Imported: ${JSON.stringify(imported)}, without ${Object.keys(lostElements).join()}`);

  const peanuts = {
    code: { coding: [{ system: snomed, code: '91935009' }], text: 'Peanuts' },
    patient: { reference: 'Patient/7' },
    criticality: 'high',
    reaction: [{ manifestation: [{ text: 'Anaphylaxis' }], severity: 'severe' }],
  } as const;
  const { id } = await records.allergies.create(peanuts, { by });
  await records.allergies.create(peanuts, {
    by,
    onWarnings: (issues) => lines.push(...issues.map(({ message }) => `Warning: ${message}`)),
  });
  await records.allergies.update(id, { ...peanuts, id, criticality: 'low' }, { by });

  for await (const problem of records.conditions.all({ patient: '7', 'clinical-status': 'active' }))
    lines.push(`Problem: ${problem.code.text}`);
  for await (const known of records.allergies.all({ patient: '7' })) lines.push(lineOf(known));
  for (const { version, by: author } of await records.allergies.history(id))
    lines.push(`Version ${version}, by ${author}`);
  return lines;
};
