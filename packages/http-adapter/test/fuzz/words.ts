import { resourceTypes } from '@clinical-records/core';
import * as fc from 'fast-check';

export const resourceType = fc.constantFrom(...resourceTypes);

export const tokens = fc.constantFrom('full', 'full', 'reader', 'amy', 'goals');

export const encoded = (text: string) => encodeURIComponent(text.toWellFormed());
