import type { RecordRef } from '../store/port.ts';
import { readRequiredReference } from './find-missing-reference.ts';
import { isCareTeam } from './import-order.ts';
import type { UnpackedResource } from './unpacker.ts';

/** The care team of a patient, which has the id of the patient. */
const teamOf = (patientId: string): RecordRef => ({ type: 'CareTeam', id: patientId });

const refsOf = (resource: UnpackedResource): readonly RecordRef[] => {
  const { type, id, content } = resource;
  const required = readRequiredReference(content);
  const named = required === null ? [] : [required];
  if (isCareTeam(resource)) return [...named, ...named.map((patient) => teamOf(patient.id))];
  return [{ type, id }, ...(type === 'Patient' ? [teamOf(id)] : []), ...named];
};

/** The records that the import of most resources reads: their own, and the one that each cannot be imported without. */
export const recordsToRead = (resources: readonly UnpackedResource[]): readonly RecordRef[] => [
  ...new Map(resources.flatMap(refsOf).map((ref) => [`${ref.type}/${ref.id}`, ref])).values(),
];
