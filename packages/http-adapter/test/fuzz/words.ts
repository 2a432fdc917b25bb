import { resourceTypes } from '@clinical-records/core/adapter';
import * as fc from 'fast-check';

export const resourceType = fc.constantFrom(...resourceTypes);

export const token = fc.constantFrom('full', 'full', 'reader', 'amy', 'goals');

export const encodeComponent = (text: string) => encodeURIComponent(text.toWellFormed());
