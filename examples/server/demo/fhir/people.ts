import { anika, fatima, marcel, nils, patients, practitioners, rosa } from '../people.ts';
import { address, phone, resource } from './resource.ts';

const languages = {
  [rosa]: ['es', 'Spanish'],
  [nils]: ['sv', 'Swedish'],
  [anika]: ['en', 'English'],
  [marcel]: ['fr', 'French'],
  [fatima]: ['ar', 'Arabic'],
} as const;

export const patientResources = patients.map(
  ({ id, lastName, firstName, gender, birthDate, identifier }, index) => {
    const [code, display] = languages[id];
    return resource('Patient', id, {
      identifier,
      active: true,
      name: [{ use: 'official', family: lastName, given: [firstName] }],
      telecom: phone('home', `555-0${101 + index}`),
      gender,
      birthDate,
      address: [address('home', `${20 + index} Harbor Street`)],
      communication: [{ language: { coding: [{ system: 'urn:ietf:bcp:47', code, display }] } }],
    });
  },
);

export const practitionerResources = practitioners.map(({ id, lastName, firstName, identifier }) =>
  resource('Practitioner', id, {
    identifier,
    active: true,
    name: [{ use: 'official', family: lastName, given: [firstName] }],
    telecom: phone('work', '555-0150'),
    address: [address('work', '12 Harbor Street')],
  }),
);
