import { expect, test } from 'vitest';
import { type ClinicalStore, createClinicalRecords } from '../src/index.ts';

/** Wiring asks nothing of a store. */
const store = {} as ClinicalStore;
const wiredUnder = (extensionBase: string) => () =>
  createClinicalRecords({ store, extensionBase, careTeamRoles: [] });

test.each(['https://clinic.example/x', 'https://clinic.example', 'urn:oid:1.2.3'])(
  'the extensions have their namespace under %s',
  (extensionBase) => {
    expect(wiredUnder(extensionBase)).not.toThrow();
  },
);

test.each([
  'https://clinic.example/x/',
  'https://clinic.example/',
  'https://clinic.example/x\n',
  ' https://clinic.example/x',
  'https://clinic.example/x#',
  'https://clinic.example/x?y',
  'C:\\x',
  '/x',
  'x',
  '',
  undefined as unknown as string,
])('records with the extensionBase %j are not made: it would stand in what is stored', (extensionBase) => {
  expect(wiredUnder(extensionBase)).toThrow(RangeError);
});
