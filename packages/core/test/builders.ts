import type { ActivePart, CareTeamState, Participant } from '../src/care-team/model.ts';
import type { RequestedParticipant } from '../src/care-team/rules.ts';
import type { ChartRecord, CommandState } from '../src/chart/command.ts';
import type { GoalCommandBody, GoalRecord } from '../src/goal/model.ts';
import type { ImmunizationCommandBody } from '../src/immunization/model.ts';
import type { PractitionerReference } from '../src/index.ts';
import type { ExistingRecord } from '../src/records/transact.ts';
import type { OrderCommandBody } from '../src/service-request/model.ts';

export const extensionBase = 'https://clinic.example/fhir';

// Care teams

export const role = (code: string) => ({
  system: 'https://clinic.example/roles',
  code,
  display: `The ${code}`,
});

export const practitioner = (id: string): Participant['member'] => ({
  type: 'Practitioner',
  id,
  display: `Doctor ${id}`,
});

export const organization = (id: string): Participant['member'] => ({
  type: 'Organization',
  id,
  display: `House ${id}`,
});

/** A participant as an update asks for it; without a word on the lead, if none is given. */
export const wanted = (
  member: Participant['member'],
  code: string | null,
  lead?: boolean | undefined,
): RequestedParticipant => ({ member, role: code === null ? null : role(code), lead });

/** A participant as it is kept: active, not the lead, changed at 100, if nothing else is said. */
export const participant = (
  member: Participant['member'],
  code: string | null,
  rest: Partial<Pick<Participant, 'lead' | 'status' | 'changedAt'>> = {},
): Participant => ({
  member,
  role: code === null ? null : role(code),
  lead: false,
  status: 'active',
  changedAt: 100,
  ...rest,
});

export const patient = { id: 'p1', lastName: 'Doe', firstName: 'Jane', lastModified: 7 };

export const teamOf = (...participants: readonly Participant[]): CareTeamState => ({ patient, participants });

/** The active part of a team, as it is kept. */
export const activePart = (
  participants: readonly Participant[] = [],
  rest: Partial<Pick<ActivePart, 'changedAt' | 'otherStatuses' | 'patient'>> = {},
): ActivePart => ({
  status: 'active',
  patient,
  participants,
  changedAt: participants.length > 0 ? 100 : 0,
  otherStatuses: [],
  ...rest,
});

/** The record of a team, as it was read in its third version. */
export const loadedActive = (state: ActivePart, at = 1): ExistingRecord<ActivePart> => ({
  id: 'p1',
  stored: {
    ...{ type: 'CareTeam', id: 'p1', patientId: 'p1', version: 3, at, by: null, resource: null },
    state: JSON.stringify(state),
  },
  state,
});

// Charts

export const staged = <Body>(body: Body): CommandState<Body> => ({ body, stagedAt: 0 });

export const committed = <Body>(
  body: Body,
  at: number,
  {
    by = 'Practitioner/dr-1',
    order = 0,
    ...rest
  }: {
    readonly by?: PractitionerReference | null;
    readonly byDisplay?: string;
    readonly order?: number;
  } = {},
): CommandState<Body> => ({ ...staged(body), committed: { at, by, ...rest, order } });

export const inError = <Body>(command: CommandState<Body>, at = 9_000): CommandState<Body> => ({
  ...command,
  enteredInError: { at, by: 'Practitioner/dr-9' },
});

export const discarded = <Body>(command: CommandState<Body>, at = 9_000): CommandState<Body> => ({
  ...command,
  discarded: { at, by: 'Practitioner/dr-9' },
});

export const completed = <Body>(command: CommandState<Body>, at = 8_000): CommandState<Body> => ({
  ...command,
  completed: { at, by: 'Practitioner/dr-8' },
});

export const reopened = <Body>(command: CommandState<Body>, at = 8_500): CommandState<Body> => ({
  ...command,
  reopened: { at, by: 'Practitioner/dr-9' },
});

export const recordOf = <Body>(...commands: readonly CommandState<Body>[]): ChartRecord<Body> => ({
  id: 'r1',
  patientId: 'p1',
  commands,
});

export const goalBody = (
  rest: Partial<Omit<Extract<GoalCommandBody, { kind: 'goal' }>, 'kind'>> = {},
): GoalCommandBody => ({ kind: 'goal', description: 'Walk every day', notes: [], ...rest });

export const updateBody = (rest: Partial<Omit<GoalCommandBody, 'kind'>> = {}): GoalCommandBody => ({
  kind: 'updateGoal',
  notes: [],
  ...rest,
});

export const closeBody = (rest: Partial<Omit<GoalCommandBody, 'kind'>> = {}): GoalCommandBody => ({
  kind: 'closeGoal',
  notes: [],
  ...rest,
});

export const goalRecord = (...commands: readonly CommandState<GoalCommandBody>[]): GoalRecord =>
  recordOf(...commands);

export const orderBody = (rest: Partial<OrderCommandBody> = {}): OrderCommandBody => ({
  kind: 'labOrder',
  code: { coding: [{ system: 'http://loinc.org', code: '2093-3', display: 'Cholesterol' }] },
  authoredOn: '2026-01-02T03:04:05.678+00:00',
  ...rest,
});

export const immunizationBody = (rest: Partial<ImmunizationCommandBody> = {}): ImmunizationCommandBody => ({
  kind: 'immunizationStatement',
  status: 'completed',
  statusReason: undefined,
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '207', display: 'COVID-19' }] },
  occurrenceDateTime: '2026-01-02',
  note: undefined,
  noteId: 'n1',
  encounterId: null,
  ...rest,
});
