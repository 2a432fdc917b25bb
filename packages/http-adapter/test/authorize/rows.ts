import type { CommandPathStep } from '../../src/access/scopes.ts';
import { createReferencedResources } from '../../src/host/references.ts';
import type { AuthorizationQuestion } from '../../src/index.ts';
import { createCommandRoutes } from '../../src/routes/command-routes.ts';
import type { Route } from '../../src/routes/route.ts';
import { createRoutes, toServedRecords } from '../../src/routes/routes.ts';
import { enteredInError, goal, statement } from '../builders.ts';
import { createRecords } from '../clinic.ts';
import { hostResources } from './clinic.ts';

/** A question to the host, without the sender. */
type Asked = Pick<AuthorizationQuestion, 'interaction' | 'resourceType' | 'id' | 'patientIds' | 'labels'>;

/** A request to an endpoint, about Amy's chart or, with another id, about something that does not exist. */
export type Row = {
  readonly path: (id: string) => string;
  readonly body?: (id: string) => object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The questions to the host; empty if the resource is in no chart. */
  readonly asked: readonly Asked[];
  /**
   * The response to a denied request: one for a resource that does not exist, a search that finds nothing, or a request that
   * names another patient than the token's.
   */
  readonly denied: 'unknown' | 'empty' | 'other-chart' | 'never';
};

const form = { 'content-type': 'application/x-www-form-urlencoded' };

const about = (
  interaction: Asked['interaction'],
  resourceType: string,
  id: string | null,
  patientIds: readonly string[] = ['amy'],
): Asked => ({ interaction, resourceType, id, patientIds, labels: {} });

const readRow = (type: string): Record<string, Row> => ({
  [`GET instance ${type}`]: {
    path: (id) => `/${type}/${id}`,
    asked: [about('read', type, 'amy')],
    denied: 'unknown',
  },
});

/** The rows of the searches of a type, and the patients about whom the host is asked. */
const searchRows = (
  type: string,
  patientIds?: readonly string[],
  parameter = 'patient',
): Record<string, Row> => ({
  [`GET type ${type}`]: {
    path: (id) => `/${type}?${parameter}=${id}`,
    asked: [about('search', type, null, patientIds)],
    denied: 'empty',
  },
  [`POST search ${type}`]: {
    path: () => `/${type}/_search`,
    body: (id) => `${parameter}=${id}`,
    headers: form,
    asked: [about('search', type, null, patientIds)],
    denied: 'empty',
  },
});

const chartRows = (type: string): Record<string, Row> => ({
  ...readRow(type),
  ...searchRows(type),
  [`GET chart ${type}`]: {
    path: (id) => `/Patient/${id}/${type}`,
    asked: [about('search', type, null)],
    denied: 'empty',
  },
  [`GET history ${type}`]: {
    path: (id) => `/${type}/${id}/_history`,
    asked: [about('history', type, 'amy')],
    denied: 'unknown',
  },
  [`GET version ${type}`]: {
    path: (id) => `/${type}/${id}/_history/1`,
    asked: [about('vread', type, 'amy')],
    denied: 'unknown',
  },
});

/** A resource that is in no chart, by an id that exists. */
const sharedRow = (type: string, id: string): Record<string, Row> => ({
  [`GET instance ${type}`]: { path: () => `/${type}/${id}`, asked: [], denied: 'never' },
});

/** The searches of a type whose resources are in no chart. */
const sharedSearchRows = (type: string, id: string): Record<string, Row> => ({
  [`GET type ${type}`]: { path: () => `/${type}?_id=${id}`, asked: [], denied: 'never' },
  [`POST search ${type}`]: {
    path: () => `/${type}/_search`,
    body: () => `_id=${id}`,
    headers: form,
    asked: [],
    denied: 'never',
  },
});

/** The questions about a Provenance: whether the goal may be read, and then the Provenance. */
const aboutProvenance = (interaction: Asked['interaction'], id: string | null) => [
  about('read', 'Goal', 'amy'),
  about(interaction, 'Provenance', id),
];

/** The row of a step of Amy's command. */
const stepRow = (step: CommandPathStep, resource: string): Row => ({
  path: (id) => `/commands/${resource}${id}/0/${step}`,
  body: () => ({}),
  asked: [about(step, 'Command', `${resource}amy/0`)],
  denied: 'unknown',
});

/** A validation asks as its write does. */
const validationRow = ([name, row]: readonly [string, Row]): readonly [string, Row][] =>
  row.body === undefined || name.includes(' search ')
    ? []
    : [[`${name.replace('PUT', 'POST')} $validate`, { ...row, path: (id) => `${row.path(id)}/$validate` }]];

const rowsWithoutValidations: Readonly<Record<string, Row>> = {
  ...chartRows('ServiceRequest'),
  ...chartRows('Goal'),
  'GET commands Command': {
    path: (id) => `/commands?patient=${id}`,
    asked: [about('search', 'Command', null)],
    denied: 'empty',
  },
  'POST commands Command': {
    path: () => '/commands',
    body: (id) => goal({ patientId: id, id: undefined }),
    asked: [about('create', 'Command', null)],
    denied: 'other-chart',
  },
  'POST participant CareTeam': {
    path: (id) => `/commands/CareTeam/${id}`,
    body: () => ({ member: 'Organization/home', status: 'proposed' }),
    asked: [about('update', 'CareTeam', 'amy')],
    denied: 'other-chart',
  },
  'GET commandsOf Command': {
    path: (id) => `/commands/Goal/${id}`,
    asked: [about('read', 'Command', null)],
    denied: 'unknown',
  },
  'GET command Command': {
    path: (id) => `/commands/Goal/${id}/0`,
    asked: [about('read', 'Command', 'Goal/amy/0')],
    denied: 'unknown',
  },
  'POST commit Command': stepRow('commit', 'Goal/staged-'),
  'POST complete Command': stepRow('complete', 'ServiceRequest/'),
  'POST reopen Command': stepRow('reopen', 'ServiceRequest/done-'),
  'POST discard Command': stepRow('discard', 'Goal/staged-'),
  'POST enter-in-error Command': stepRow('enter-in-error', 'Goal/'),
  ...chartRows('CareTeam'),
  'PUT instance CareTeam': {
    path: (id) => `/CareTeam/${id}`,
    body: (id) => ({ id }),
    asked: [about('update', 'CareTeam', 'amy')],
    denied: 'other-chart',
  },
  ...chartRows('Immunization'),
  'POST type Immunization': {
    path: () => '/Immunization',
    body: (id) => statement({ patient: { reference: `Patient/${id}` } }),
    asked: [about('create', 'Immunization', null)],
    denied: 'other-chart',
  },
  'PUT instance Immunization': {
    path: (id) => `/Immunization/${id}`,
    body: (id) => enteredInError(id),
    asked: [about('update', 'Immunization', 'amy')],
    denied: 'unknown',
  },
  'GET instance Provenance': {
    path: (id) => `/Provenance/G-${id}-1`,
    asked: aboutProvenance('read', 'G-amy-1'),
    denied: 'unknown',
  },
  'GET type Provenance': {
    path: (id) => `/Provenance?target=Goal/${id}`,
    asked: aboutProvenance('search', null),
    denied: 'empty',
  },
  'POST search Provenance': {
    path: () => '/Provenance/_search',
    body: (id) => `target=Goal/${id}`,
    headers: form,
    asked: aboutProvenance('search', null),
    denied: 'empty',
  },
  ...readRow('Patient'),
  ...searchRows('Patient', ['amy'], '_id'),
  ...sharedSearchRows('Practitioner', 'ada'),
  ...sharedSearchRows('Organization', 'lab'),
  'GET everything Patient': {
    path: (id) => `/Patient/${id}/$everything?_type=Patient`,
    asked: [about('operation', 'Patient', 'amy')],
    denied: 'unknown',
  },
  ...sharedRow('Practitioner', 'ada'),
  ...sharedRow('Organization', 'lab'),
  'GET instance Encounter': {
    path: (id) => `/Encounter/visit-${id}`,
    asked: [about('read', 'Encounter', 'visit-amy')],
    denied: 'unknown',
  },
  ...readRow('Condition'),
  // The parameters of a search of the host are the host's.
  ...searchRows('Condition', []),
  ...readRow('Device'),
  ...sharedRow('Medication', 'statin'),
};

/** A row for each endpoint, by its method, its level and its type. */
export const rows: Readonly<Record<string, Row>> = {
  ...rowsWithoutValidations,
  ...Object.fromEntries(Object.entries(rowsWithoutValidations).flatMap(validationRow)),
};

const records = createRecords();

const routeName = ({ method, level, type, isValidation }: Route): string =>
  `${method} ${level} ${type}${isValidation ? ' $validate' : ''}`;

const served = toServedRecords(records);

/** The endpoints of the interface, by the same names. */
export const routes: ReadonlyMap<string, Route> = new Map(
  [
    ...createRoutes(served, createReferencedResources(served, hostResources), hostResources),
    ...createCommandRoutes(served),
  ].map((route) => [routeName(route), route]),
);
