import type { HostResources } from '@clinical-records/http-adapter';

/** A host reads these from its tables. Here they are fixed. */
const patients = [
  { id: '7', family: 'Shaw', given: 'Amy', gender: 'female', birthDate: '1958-04-12', record: 'R-1007' },
];

/** The patients of this host as FHIR resources. */
// #region resources
export const hostResources: HostResources = {
  types: ['Patient'],
  read: async (_type, id) => {
    const row = patients.find((patient) => patient.id === id);
    if (row === undefined) return null;
    return {
      resourceType: 'Patient',
      id,
      identifier: [{ system: 'https://clinic.example/records', value: row.record }],
      name: [{ family: row.family, given: [row.given] }],
      gender: row.gender,
      birthDate: row.birthDate,
    };
  },
};
// #endregion
