import { z } from 'zod';
import { asCode } from '../fhir/element.ts';
import { leftOut } from '../fhir/faults.ts';
import {
  type Foreign,
  type ForeignConcept,
  type ForeignReading,
  foreign,
  foreignConcept,
  foreignIdOf,
  foreignReading,
} from '../fhir/foreign.ts';
import { isOneOf } from '../fhir/is-one-of.ts';
import { chartVaccineSystems, type ImmunizationCommand, noteIdUrl } from './model.ts';

type VaccineCoding = ImmunizationCommand['vaccineCode']['coding'][number];

type Reason = NonNullable<ImmunizationCommand['statusReason']>['coding'][number];

const isVaccineSystem = isOneOf(chartVaccineSystems);

/** The codings that the interface knows; where there is none, what the other system says, as unstructured. */
const vaccineCodings = ({ coding = [], text }: ForeignConcept): readonly VaccineCoding[] => {
  const known = coding.flatMap(({ system, code, display = text }) =>
    isVaccineSystem(system) && code !== undefined ? [{ system, code, display }] : [],
  );
  const [first] = coding;
  const said = first?.code ?? text ?? first?.display;
  if (known.length > 0 || said === undefined) return known;
  return [{ system: 'unstructured', code: asCode(said), display: first?.display ?? text }];
};

const foreignImmunization = z.object({
  id: foreign.id,
  extension: foreign.extensions,
  status: z.enum(['completed', 'not-done', 'entered-in-error']),
  statusReason: foreignConcept.optional(),
  vaccineCode: foreignConcept.refine((concept) => vaccineCodings(concept).length > 0),
  patient: foreignIdOf('Patient'),
  encounter: foreignIdOf('Encounter').optional(),
  occurrenceDateTime: foreign.dateTime,
  primarySource: z.boolean().optional(),
  isSubpotent: z.literal(false).optional(),
  note: z.array(z.object({ text: foreign.text })).optional(),
});

/** The reasons that have a code, and what of them all is left out: everything, where the vaccine was given. */
const reasonsIn = (status: string, statusReason: ForeignConcept | undefined): Foreign<readonly Reason[]> => {
  const element = 'Immunization.statusReason';
  const { coding = [], text } = statusReason ?? {};
  const codings = status === 'completed' ? [] : coding;
  const read = codings.flatMap(({ code, display = text }) => (code === undefined ? [] : [{ code, display }]));
  if (read.length === 0) return { read, faults: statusReason === undefined ? [] : [leftOut(element)] };
  const faults = codings.flatMap(({ code }, at) =>
    code === undefined ? [leftOut(`${element}.coding[${at}]`)] : [],
  );
  return { read, faults };
};

/** An immunization of another system: the command that derives to it, and whether that was entered in error. */
export type ForeignImmunization = {
  readonly id: string;
  readonly patientId: string;
  readonly command: ImmunizationCommand;
  readonly isInError: boolean;
};

export const immunizationFromFhir = (extensionBase: string): ForeignReading<ForeignImmunization> =>
  foreignReading(foreignImmunization, 'Immunization', (immunization) => {
    const { extension = [], status, primarySource, note, occurrenceDateTime } = immunization;
    const { read: reasons, faults } = reasonsIn(status, immunization.statusReason);
    const notes = extension.filter(({ url }) => url === noteIdUrl(extensionBase)).map((one) => one.valueId);
    const noteId = notes.find((one) => one !== undefined);
    const isNoteLost = notes.some((one) => one === undefined || one !== noteId);
    const patientId = immunization.patient;
    const read: ForeignImmunization = {
      id: immunization.id,
      patientId,
      isInError: status === 'entered-in-error',
      command: {
        kind: primarySource === true ? 'immunize' : 'immunizationStatement',
        patientId,
        noteId,
        encounterId: immunization.encounter,
        vaccineCode: { coding: [...vaccineCodings(immunization.vaccineCode)] },
        occurrenceDateTime,
        // What was entered in error with a reason of not-done was not done.
        status: status === 'not-done' || reasons.length > 0 ? 'not-done' : 'completed',
        statusReason: reasons.length > 0 ? { coding: reasons } : undefined,
        note: note?.map(({ text }) => ({ text })),
      },
    };
    return { read, faults: isNoteLost ? [...faults, leftOut('Immunization.extension')] : faults };
  });
