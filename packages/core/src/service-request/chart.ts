import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ChartDefinition } from '../chart/chart-records.ts';
import { newRecord } from '../chart/new-record.ts';
import type { DirectoryRecords } from '../directory/directory.ts';
import type { Environment } from '../environment.ts';
import { ruleViolation } from '../errors.ts';
import { inFull, instantText } from '../fhir/date-time.ts';
import { serviceRequestFault } from './faults.ts';
import { serviceRequestKind } from './kind.ts';
import { type OrderBody, type OrderCommand, orderCommand } from './model.ts';
import { beginsBeforeItEnds } from './period.ts';

/** Imaging orders, lab orders and referrals: each is one request. */
export const serviceRequestChart = (
  environment: Environment,
  directory: DirectoryRecords,
): ChartDefinition<OrderCommand, OrderBody> => {
  const kind = serviceRequestKind(environment.zone);
  return {
    kind,
    commandKinds: orderCommand.shape.kind.options,
    steps: ['commit', 'complete', 'enterInError'],
    schema: orderCommand,
    objections: () => [],
    place: ({ id, patientId, ...order }, at) =>
      pipe(
        directory.demanded('Patient', patientId, 'patientId'),
        TE.filterOrElse(
          () => beginsBeforeItEnds(order.occurrencePeriod, environment.zone),
          () => ruleViolation(serviceRequestFault('period-order', 'occurrencePeriod')),
        ),
        TE.tap(() =>
          order.requesterId === undefined
            ? TE.right(null)
            : directory.demanded('Practitioner', order.requesterId, 'requesterId'),
        ),
        TE.flatMap(() => newRecord(environment, kind, id)),
        TE.map((record) => ({
          record,
          patientId,
          body: { ...order, authoredOn: inFull(order.authoredOn ?? instantText(at)) },
          alongside: [],
        })),
      ),
  };
};
