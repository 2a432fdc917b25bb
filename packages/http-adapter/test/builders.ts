import type {
  CareTeamUpdateBody,
  ChartCommandInput,
  GoalCommand,
  ImmunizationCommand,
  ImmunizationCreateBody,
  ImmunizationUpdateBody,
  OrderCommand,
} from '@clinical-records/core';
import type { ChartResourceType } from '@clinical-records/core/adapter';
import { cardiologist, extensionBase, nurse } from './clinic.ts';

export const snomed = 'http://snomed.info/sct';
export const loinc = 'http://loinc.org';
export const cvx = 'http://hl7.org/fhir/sid/cvx';

export const hemoglobin = { system: loinc, code: '718-7', display: 'Hemoglobin' } as const;
export const influenza = { system: cvx, code: '140', display: 'Influenza, seasonal' } as const;

export const labOrder = (fields: Partial<OrderCommand> = {}): OrderCommand => ({
  kind: 'labOrder',
  patientId: 'amy',
  code: { coding: [hemoglobin] },
  ...fields,
});

export const goal = (fields: Partial<Extract<GoalCommand, { kind: 'goal' }>> = {}): GoalCommand => ({
  kind: 'goal',
  id: 'walk',
  patientId: 'amy',
  description: 'Walk a mile',
  ...fields,
});

/** The Immunize command, in the note of the patient that the clinic has. */
export const immunize = ({
  patientId = 'amy',
  ...fields
}: Partial<ImmunizationCommand> = {}): ImmunizationCommand => ({
  kind: 'immunize',
  id: 'shot',
  patientId,
  noteId: `note-${patientId}`,
  vaccineCode: { coding: [influenza] },
  occurrenceDateTime: '2025-10-01',
  ...fields,
});

/** The Immunization Statement command with the same values. */
export const immunizationStatement = (fields: Partial<ImmunizationCommand> = {}): ImmunizationCommand =>
  immunize({ kind: 'immunizationStatement', ...fields });

/** A command as a client sends it. Only a host chooses an id. */
export const withoutId = <Command extends object>(command: Command): Omit<Command, 'id'> => {
  const { id: _, ...sent } = { id: undefined, ...command };
  return sent;
};

/** A command that makes a resource, for each type of resource with commands. */
export const oneCommandOfEach = (fields: { readonly id: string; readonly patientId?: string }) =>
  Object.values<ChartCommandInput>({
    ServiceRequest: labOrder(fields),
    Goal: goal(fields),
    Immunization: immunizationStatement(fields),
  } satisfies Record<ChartResourceType, ChartCommandInput>);

/** The body of a POST /Immunization with nothing in it that is not required. */
export const statement = (fields: object = {}): ImmunizationCreateBody => ({
  status: 'completed',
  vaccineCode: { coding: [influenza] },
  patient: { reference: 'Patient/amy' },
  occurrenceDateTime: '2025-10-01',
  primarySource: false,
  ...fields,
});

/** The body of the PUT that marks a statement entered in error. */
export const enteredInError = (id = 'shot', fields: object = {}): ImmunizationUpdateBody => ({
  id,
  ...statement({ status: 'entered-in-error', ...fields }),
});

export const noteIdExtension = (valueId: string) => [{ url: `${extensionBase}/note-id`, valueId }];

export const leadExtension = (valueBoolean: boolean) => [
  { url: `${extensionBase}/careteam-lead`, valueBoolean },
];

/** A participant as it is sent. */
export const participant = (reference: string, role: object | null, extension?: object[]) => ({
  member: { reference },
  ...(role !== null && { role: [{ coding: [role] }] }),
  ...(extension && { extension }),
});

export const ada = participant('Practitioner/ada', cardiologist);
export const bob = participant('Practitioner/bob', nurse);
export const lab = participant('Organization/lab', null);

/** The body of a PUT /CareTeam/amy with these participants. */
export const team = (...participants: readonly object[]) =>
  ({ id: 'amy', participant: participants }) as CareTeamUpdateBody;
