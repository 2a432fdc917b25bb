import { z } from 'zod';
import type { BodyRule } from './issues.ts';

/** FHIR R4, Datatypes, 2.24.0.1: integers have 32 bits. */
const maxInteger = 2 ** 31 - 1;

const integerFrom = (minimum: number) =>
  z
    .number()
    .refine((value) => Number.isInteger(value) && value >= minimum && value <= maxInteger, {
      params: { rule: 'value' satisfies BodyRule },
    })
    .meta({ type: 'integer', minimum, maximum: maxInteger });

/** A FHIR `positiveInt`. */
export const positiveInteger = integerFrom(1);

/** A FHIR `unsignedInt`. */
export const unsignedInteger = integerFrom(0);
