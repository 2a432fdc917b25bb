import * as z from 'zod';
import {
  createMovePreviewSchema,
  createMoveRequestSchema,
  mergePreviewSchema,
  mergeRequestSchema,
} from '../corrections/correction.ts';
import { dateTime } from '../fhir/date-time.ts';
import type { Resources } from '../resource-definition.ts';
import { type JsonSchema, toBodySchema, toResourceSchema } from './json-schema.ts';

/** A description of the corrections of charts, as a server serves them. */
export type CorrectionDescription = {
  /** The parameters of the preview of a move, as the properties of an object, and its result. */
  readonly movePreview: { readonly parameters: JsonSchema; readonly result: JsonSchema };
  readonly mergePreview: { readonly parameters: JsonSchema; readonly result: JsonSchema };
  /** The body that moves a record. */
  readonly move: JsonSchema;
  /** The body that merges a patient into another one. */
  readonly merge: JsonSchema;
  /** A correction as it is read. */
  readonly correction: JsonSchema;
  readonly corrections: JsonSchema;
};

const counts = z.record(z.string(), z.int()).describe('How many resources of each type are moved.');

const versions = { patientVersion: z.int(), toPatientVersion: z.int() };

const correction = z.object({
  id: z.string(),
  kind: z.enum(['move', 'merge', 'erasure']),
  at: dateTime,
  by: z.string().describe('The reference to the author.'),
  reason: z.string(),
  patientId: z.string().describe('The patient in whose chart the resources were before.'),
  toPatientId: z
    .string()
    .nullable()
    .describe('The patient to whose chart they belong now; null after an erasure.'),
  counts,
  records: z
    .array(z.object({ type: z.string(), id: z.string(), version: z.int() }))
    .exactOptional()
    .describe('The record of a move, with its new version.'),
});

/** Describes the corrections with the schemas that parse them. */
export const describeCorrections = (resources: Resources): CorrectionDescription => {
  const types = Array.from(resources).flatMap(([type, { move }]) => (move === null ? [] : [type]));
  const movePreview = createMovePreviewSchema(types);
  return {
    movePreview: {
      parameters: toBodySchema(movePreview),
      result: toResourceSchema(
        z.object({
          ...movePreview.shape,
          version: z.int(),
          ...versions,
          leaves: z
            .array(z.string())
            .describe(
              'The elements that stay behind, or a part of them, because they refer to the old chart.',
            ),
        }),
      ),
    },
    mergePreview: {
      parameters: toBodySchema(mergePreviewSchema),
      result: toResourceSchema(
        z.object({
          ...mergePreviewSchema.shape,
          ...versions,
          counts,
          staged: z.int().describe('How many commands wait to be committed.'),
          participants: z
            .int()
            .describe('How many members of the care team, in any status, join the other one.'),
        }),
      ),
    },
    move: toBodySchema(createMoveRequestSchema(types)),
    merge: toBodySchema(mergeRequestSchema),
    correction: toResourceSchema(correction),
    corrections: toResourceSchema(z.object({ corrections: z.array(correction) })),
  };
};
