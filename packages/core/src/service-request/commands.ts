import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { CommandDefinition } from '../chart/command-records.ts';
import { startRecord } from '../chart/start-record.ts';
import type { DirectoryRecords } from '../directory/directory.ts';
import type { Environment } from '../environment.ts';
import { ruleViolation } from '../errors.ts';
import { formatInstant, toFullPrecision } from '../fhir/date-time.ts';
import { serviceRequestIssue } from './issues.ts';
import { type OrderCommand, type OrderCommandBody, orderCommand } from './model.ts';
import { beginsBeforeItEnds } from './period.ts';
import { defineServiceRequestRecord } from './record-definition.ts';

/** Imaging orders, lab orders and referrals: each is one request. */
export const defineOrderCommands = (
  environment: Environment,
  directory: DirectoryRecords,
): CommandDefinition<OrderCommand, OrderCommandBody> => {
  const recordDefinition = defineServiceRequestRecord(environment.zone);
  return {
    recordDefinition,
    commandKinds: orderCommand.shape.kind.options,
    steps: ['commit', 'complete', 'enterInError'],
    schema: orderCommand,
    checkStep: () => [],
    place: ({ id, patientId, ...order }, at) =>
      pipe(
        directory.require('Patient', patientId, 'patientId'),
        TE.filterOrElse(
          () => beginsBeforeItEnds(order.occurrencePeriod, environment.zone),
          () => ruleViolation(serviceRequestIssue('period-order', 'occurrencePeriod')),
        ),
        TE.tap(() =>
          order.requesterId === undefined
            ? TE.right(null)
            : directory.require('Practitioner', order.requesterId, 'requesterId'),
        ),
        TE.flatMap(() => startRecord(environment, recordDefinition, id)),
        TE.map((record) => ({
          record,
          patientId,
          body: { ...order, authoredOn: toFullPrecision(order.authoredOn ?? formatInstant(at)) },
          sideChanges: [],
        })),
      ),
  };
};
