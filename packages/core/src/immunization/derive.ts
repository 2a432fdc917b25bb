import { toCodedConcept } from '../fhir/coded-concept.ts';
import { createReference } from '../fhir/reference.ts';
import { type Immunization, type ImmunizationRecord, noteIdUrl, statusReasonSystem } from './model.ts';

/** The immunization that derives from a committed command; null before. Source: docs/http-interface.md#immunization. */
export const deriveImmunization =
  (extensionBase: string) =>
  ({ id, patientId, commands: [command] }: ImmunizationRecord): Immunization | null => {
    if (command?.committed == null) return null;
    const {
      kind,
      noteId,
      encounterId,
      status,
      statusReason,
      vaccineCode,
      occurrenceDateTime,
      note = [],
      elements,
    } = command.body;
    return {
      resourceType: 'Immunization',
      id,
      extension: [{ url: noteIdUrl(extensionBase), valueId: noteId }],
      status: command.enteredInError == null ? status : 'entered-in-error',
      ...(statusReason !== undefined && {
        statusReason: toCodedConcept(extensionBase, {
          ...statusReason,
          coding: statusReason.coding.map((coding) => ({ system: statusReasonSystem, ...coding })),
        }),
      }),
      vaccineCode: toCodedConcept(extensionBase, vaccineCode),
      patient: createReference('Patient', patientId),
      ...(encounterId !== null && { encounter: createReference('Encounter', encounterId) }),
      occurrenceDateTime,
      primarySource: kind === 'immunize',
      ...(note.length > 0 && { note }),
      ...elements,
    };
  };

/** The comment field of the command: the texts of the notes, a line each. */
export const formatComment = (note: readonly { readonly text: string }[]): string =>
  note.map(({ text }) => text).join('\n');
