import { type ClinicalRecordsOptions, createClinicalRecords } from '@clinical-records/core';
import { retired } from '@clinical-records/core/define-resource';
import { allergy } from '../../../../../examples/conditions/allergy.ts';
import { condition } from '../../../../../examples/conditions/condition.ts';

export const useTypes = async (
  store: ClinicalRecordsOptions['store'],
  show: (...shown: unknown[]) => void,
) => {
  const records = createClinicalRecords({
    store,
    extensionBase: 'https://acme.example/fhir',
    careTeamRoles: [],
    types: [condition, allergy],
  });
  await records.directory.put('Patient', { id: '7', lastName: 'Shaw', firstName: 'Amy' });

  // #region records
  const by = 'Practitioner/12';
  const code = { coding: [{ system: 'http://snomed.info/sct', code: '91935009' }], text: 'Peanuts' };
  const { id } = await records.allergies.create({ code, patient: { reference: 'Patient/7' } }, { by });
  const active = await records.conditions.search({ patient: '7', 'clinical-status': 'active' });
  // #endregion
  show(await records.allergies.read(id), active.total);
};

export const openWithoutConditions = (options: Omit<ClinicalRecordsOptions, 'types' | 'rules'>) => {
  // #region retired
  const records = createClinicalRecords({ ...options, types: [retired('Condition'), allergy] });
  // #endregion
  return records;
};
