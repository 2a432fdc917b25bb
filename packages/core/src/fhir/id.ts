import { z } from 'zod';
import type { BodyRule } from './issues.ts';

export const idPattern = /^[A-Za-z0-9\-.]{1,64}$/;

const derivedIdPattern = /^[A-Za-z0-9\-.]{1,99}$/;

/** Whether a value is an id of FHIR: 1 to 64 letters, digits, `-` or `.`. Source: FHIR R4, Datatypes, 2.24.0.1. */
export const isId = (value: unknown): value is string => typeof value === 'string' && idPattern.test(value);

/**
 * Whether a value can be the id of a resource here. The longest is that of the Provenance of a care team: a patient's id,
 * `.entered-in-error`, and 18 characters for the type and the version.
 */
export const isDerivedId = (value: unknown): value is string =>
  typeof value === 'string' && derivedIdPattern.test(value);

export const id = z
  .string()
  .refine(isId, { params: { rule: 'id' satisfies BodyRule }, abort: true })
  .meta({ pattern: idPattern.source, examples: ['7'] });
