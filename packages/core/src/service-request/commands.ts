import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { CommandDefinition } from '../chart/command-records.ts';
import { startRecord } from '../chart/start-record.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { displayOf } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, type ClinicalTask, ruleViolation } from '../errors.ts';
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
  const requireRequesterDisplay = (requesterId: string | undefined): ClinicalTask<string | undefined> =>
    requesterId === undefined
      ? TE.right<ClinicalError, undefined>(undefined)
      : pipe(
          directory.require('Practitioner', requesterId, 'requesterId'),
          TE.map(({ state }) => displayOf(state)),
        );
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
        TE.bind('requesterDisplay', () => requireRequesterDisplay(order.requesterId)),
        TE.bind('record', () => startRecord(environment, recordDefinition, id)),
        TE.map(({ record, requesterDisplay }) => ({
          record,
          patientId,
          body: {
            ...order,
            requesterDisplay,
            authoredOn: toFullPrecision(order.authoredOn ?? formatInstant(at)),
          },
          sideChanges: [],
        })),
      ),
  };
};
