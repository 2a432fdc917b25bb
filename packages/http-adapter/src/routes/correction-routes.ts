import { type CorrectionKind, correctionKinds, correctionType } from '../access/scopes.ts';
import type { Route, ServedRecords } from './route.ts';

/** The errors that a correction adds to those of every request. A move reads its record. */
const errorTagsOf = (kind: CorrectionKind): Route['errorTags'] => [
  'InvalidRequest',
  ...(kind === 'move' ? (['NotFound'] as const) : []),
  'PreconditionFailed',
  'RuleViolation',
];

/** The endpoints of corrections. A host turns them on with `corrections`. Source: docs/corrections.md#over-http. */
export const createCorrectionRoutes = (records: ServedRecords): readonly Route[] => {
  const { asJson } = records.corrections;
  const previews = { move: asJson.previewMove, merge: asJson.previewMerge };
  const ofKind = (kind: CorrectionKind): readonly Route[] => [
    {
      ...{ type: correctionType, level: kind, method: 'GET', interaction: 'read', bodyFormat: 'nothing' },
      errorTags: errorTagsOf(kind).filter((tag) => tag !== 'PreconditionFailed'),
      run: ({ parameters, access }) => previews[kind](parameters, access),
    },
    {
      ...{ type: correctionType, level: kind, method: 'POST', interaction: kind, bodyFormat: 'json' },
      errorTags: errorTagsOf(kind),
      run: ({ body, write, idempotencyKey }) => asJson[kind](body, { ...write, idempotencyKey }),
    },
  ];
  return [
    ...correctionKinds.flatMap(ofKind),
    {
      ...{ type: correctionType, level: 'correctionsOf', method: 'GET', interaction: 'read' },
      bodyFormat: 'nothing',
      errorTags: ['InvalidRequest'],
      run: ({ id, access }) => {
        const [resourceType = '', resourceId = ''] = id.split('/');
        return asJson.of({ resourceType, resourceId }, access);
      },
    },
  ];
};
