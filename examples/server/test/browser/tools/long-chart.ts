import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { careTeamRoles, extensionBase } from '../../../settings.ts';
import { useDemoClinic } from './chart-visits.ts';

const subject = { reference: 'Patient/long' };

const coding = (system: string, code: string, display: string) => ({ coding: [{ system, code, display }] });

/** 200 doses of twelve vaccines, the first of them long before the others. */
const doses = Array.from({ length: 200 }, (_, index) => ({
  ...{ resourceType: 'Immunization', id: `dose-${index}`, status: 'completed', patient: subject },
  primarySource: false,
  vaccineCode: coding('http://hl7.org/fhir/sid/cvx', `${100 + (index % 12)}`, `Vaccine ${index % 12}`),
  occurrenceDateTime:
    index === 0 ? '1950' : `${2005 + (index % 20)}-03-${String(1 + (index % 28)).padStart(2, '0')}`,
}));

/** 60 orders: 20 under way, of which three are urgent and five past their period. */
const orders = Array.from({ length: 60 }, (_, index) => ({
  ...{ resourceType: 'ServiceRequest', id: `order-${index}`, intent: 'order', subject },
  ...{ status: index < 20 ? 'active' : 'completed', priority: index % 9 === 0 ? 'stat' : 'routine' },
  category: [coding('http://snomed.info/sct', '108252007', 'Laboratory procedure')],
  code: coding('http://loinc.org', `${1000 + index}-1`, `Test ${index}`),
  authoredOn: `2024-01-01T${String(index % 24).padStart(2, '0')}:00:00Z`,
  occurrencePeriod: { start: '2024-02-01', end: index % 4 === 0 ? '2024-03-01' : '2090-03-01' },
  requester: { reference: 'Practitioner/demo-practitioner-1' },
}));

/** 25 goals, of which 14 are overdue. */
const goals = Array.from({ length: 25 }, (_, index) => ({
  ...{ resourceType: 'Goal', id: `goal-${index}`, lifecycleStatus: 'active', subject },
  description: { text: `Goal ${index}: walk to the lake every day of the week` },
  target: [{ dueDate: index < 14 ? '2025-01-01' : '2090-01-01' }],
  priority: coding('http://terminology.hl7.org/CodeSystem/goal-priority', 'high-priority', 'High Priority'),
}));

/** A team of 30: a lead, the other roles, and organizations. */
const practitioners = careTeamRoles.slice(0, 8).map((role, index) => ({
  person: { resourceType: 'Practitioner', id: `long-${index}`, name: [{ family: `Member${index}` }] },
  participant: {
    role: [{ coding: [role] }],
    member: { reference: `Practitioner/long-${index}` },
    extension: [{ url: `${extensionBase}/careteam-lead`, valueBoolean: index === 3 }],
  },
}));
const organizations = Array.from({ length: 22 }, (_, index) => ({
  person: { resourceType: 'Organization', id: `long-${index}`, name: `Home care service ${index}` },
  participant: { member: { reference: `Organization/long-${index}` } },
}));
const members = [...practitioners, ...organizations];
const team = {
  ...{ resourceType: 'CareTeam', id: 'team-long', status: 'active', subject },
  participant: members.map(({ participant }) => participant),
};

const patient = (id: string, family: string, given: string, birthDate: string, more: object = {}) => ({
  ...{
    resourceType: 'Patient',
    id,
    name: [{ family, given: [given] }],
    birthDate,
    gender: 'female',
    ...more,
  },
});

const longest = 'Wolfeschlegelsteinhausenbergerdorff';

/** A patient with the longest name, one who died, two whom one may mistake for each other, and a long list. */
const patients = [
  patient('long', `${longest}-Featherstonehaugh`, 'Maximiliana', '1949-01-02'),
  patient('dead', longest, 'Maximilian', '1949-02-03', { deceasedDateTime: '2026-11-02' }),
  patient('similar-1', 'Meier', 'Anna', '1970-03-03'),
  patient('similar-2', 'Meyer', 'Anna', '1970-03-03'),
  ...Array.from({ length: 60 }, (_, index) => patient(`many-${index}`, 'Many', `N${index}`, '1980')),
];

const resources = [...members.map(({ person }) => person), ...patients, ...doses, ...orders, ...goals, team];

/** The demo clinic with a chart that many years have filled, and with patients of all kinds of names. */
export const useLongChart = () => {
  let folder = '';
  const demo = useDemoClinic(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clinical-records-'));
    const file = join(folder, 'chart.ndjson');
    await writeFile(file, resources.map((resource) => JSON.stringify(resource)).join('\n'));
    return ['--import', file];
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return demo;
};
