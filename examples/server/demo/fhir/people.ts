import {
  anika,
  fatima,
  haddad,
  lindqvist,
  marcel,
  nils,
  okafor,
  patients,
  practitioners,
  raman,
  reyes,
  rosa,
  tanaka,
} from '../people.ts';
import { address, hl7, npi, phone, resource } from './resource.ts';

const patientDetails = {
  [rosa]: { gender: 'female', birthDate: '1961-08-23', language: ['es', 'Spanish'] },
  [nils]: { gender: 'male', birthDate: '1948-02-11', language: ['sv', 'Swedish'] },
  [anika]: { gender: 'female', birthDate: '1990-11-05', language: ['en', 'English'] },
  [marcel]: { gender: 'male', birthDate: '1979-06-30', language: ['fr', 'French'] },
  [fatima]: { gender: 'female', birthDate: '1985-03-17', language: ['ar', 'Arabic'] },
} as const;

export const patientResources = patients.map(({ id, lastName, firstName }, index) => {
  const { gender, birthDate, language } = patientDetails[id];
  const [code, display] = language;
  return resource('Patient', id, {
    identifier: [
      {
        type: hl7('v2-0203', 'MR', 'Medical record number'),
        system: 'https://clinical-records.example/medical-records',
        value: `R-${1001 + index}`,
      },
    ],
    active: true,
    name: [{ use: 'official', family: lastName, given: [firstName] }],
    telecom: phone('home', `555-0${101 + index}`),
    gender,
    birthDate,
    address: [address('home', `${20 + index} Harbor Street`)],
    communication: [{ language: { coding: [{ system: 'urn:ietf:bcp:47', code, display }] } }],
  });
});

const npis = {
  [okafor]: '9999999011',
  [lindqvist]: '9999999029',
  [reyes]: '9999999037',
  [tanaka]: '9999999045',
  [haddad]: '9999999052',
  [raman]: '9999999086',
} as const;

export const practitionerResources = practitioners.map(({ id, lastName, firstName }) =>
  resource('Practitioner', id, {
    identifier: npi(npis[id]),
    active: true,
    name: [{ use: 'official', family: lastName, given: [firstName] }],
    telecom: phone('work', '555-0150'),
    address: [address('work', '12 Harbor Street')],
  }),
);
