import { type ClinicalRecords, createClinicalRecords, orThrow } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { createHttpHandler, type HttpHandler, type HttpResponse } from '../src/index.ts';

export const extensionBase = 'https://clinic.example/fhir/extensions';

export const roles = {
  cardiologist: { system: 'http://snomed.info/sct', code: '17561000', display: 'Cardiologist' },
  nurse: { system: 'http://snomed.info/sct', code: '224535009', display: 'Registered nurse' },
} as const;
