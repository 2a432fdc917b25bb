import type { RecordRef } from '../store/port.ts';
import { readRequiredReference } from './find-missing-reference.ts';
import type { ImportDefinitions } from './resource-importer.ts';
import type { UnpackedResource } from './unpacker.ts';

/** Lists the records that the import of most resources reads: their own, and the one that each cannot be imported without. */
export const createRecordsToRead = (imports: ImportDefinitions) => {
  const typesPerPatient = [...imports].flatMap(([type, { isOnePerPatient }]) =>
    isOnePerPatient ? [type] : [],
  );
  const recordsOf = (type: string, patientId: string): readonly RecordRef[] =>
    (imports.get(type)?.recordIds?.(patientId) ?? [patientId]).map((recordId) => ({ type, id: recordId }));
  const ofPatient = (id: string): readonly RecordRef[] => typesPerPatient.map((type) => ({ type, id }));

  const refsOf = ({ type, id, content }: UnpackedResource): readonly RecordRef[] => {
    const required = readRequiredReference(content, imports.get(type));
    const named = required === null ? [] : [required];
    if (typesPerPatient.includes(type))
      return [...named, ...named.flatMap(({ id: patientId }) => recordsOf(type, patientId))];
    return [{ type, id }, ...(type === 'Patient' ? ofPatient(id) : []), ...named];
  };

  return (resources: readonly UnpackedResource[]): readonly RecordRef[] => [
    ...new Map(resources.flatMap(refsOf).map((ref) => [`${ref.type}/${ref.id}`, ref])).values(),
  ];
};
