import {
  type ClinicalRecords,
  type ClinicalRecordsOptions,
  createClinicalRecords,
  defineExtension,
  extensionOf,
  type ImmunizationCreateBody,
  withExtension,
} from '@clinical-records/core';

// #region define
export const consent = defineExtension({
  url: 'https://acme.example/consent',
  on: 'Immunization',
  value: 'boolean',
});

export const openRecords = (store: ClinicalRecordsOptions['store']): ClinicalRecords =>
  createClinicalRecords({
    store,
    extensionBase: 'https://acme.example/fhir',
    careTeamRoles: [],
    extensions: { [consent.url]: consent },
  });
// #endregion

export const recordWithConsent = async (
  records: ClinicalRecords,
  body: ImmunizationCreateBody,
): Promise<boolean | undefined> => {
  // #region use
  const dose = await records.immunizations.create(withExtension(body, consent, true));
  const hasConsent = extensionOf(dose, consent); // boolean | undefined
  // #endregion
  return hasConsent;
};
