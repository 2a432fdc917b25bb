import * as E from 'fp-ts/lib/Either.js';
import type { CommandDefinition } from '../chart/command-records.ts';
import { startRecord } from '../chart/start-record.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { displayOf } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import { type Outcome, ruleViolation } from '../errors.ts';
import { formatInstant, toFullPrecision } from '../fhir/date-time.ts';
import { orderKinds } from './categories.ts';
import { storeOrderElements } from './elements.ts';
import { serviceRequestIssue } from './issues.ts';
import { type OrderCommand, type OrderCommandBody, orderCommand } from './model.ts';
import { beginsBeforeItEnds } from './period.ts';
import { defineServiceRequestRecord } from './record-definition.ts';

/** The name of the practitioner whom an order names as its requester, if it names one. */
const requireRequesterDisplay = async (
  directory: DirectoryRecords,
  requesterId: string | undefined,
): Outcome<string | undefined> => {
  if (requesterId === undefined) return E.right(undefined);
  const requester = await directory.require('Practitioner', requesterId, 'requesterId');
  return E.isLeft(requester) ? requester : E.right(displayOf(requester.right.state));
};

/** Imaging orders, lab orders and referrals: each is one request. */
export const defineOrderCommands = ({
  newId,
  ...environment
}: Pick<Environment, 'newId' | 'zone' | 'extensionBase'>): CommandDefinition<
  OrderCommand,
  OrderCommandBody
> => {
  const { zone } = environment;
  const recordDefinition = defineServiceRequestRecord(environment);
  return {
    recordDefinition,
    commandKinds: orderKinds,
    steps: ['commit', 'complete', 'enterInError'],
    schema: orderCommand,
    checkStep: () => [],
    place: async (directory, { id, patientId, ...order }, at) => {
      const patient = await directory.require('Patient', patientId, 'patientId');
      if (E.isLeft(patient)) return patient;
      if (!beginsBeforeItEnds(order.occurrencePeriod, zone)) {
        return E.left(ruleViolation(serviceRequestIssue('period-order', 'occurrencePeriod')));
      }
      const requesterDisplay = await requireRequesterDisplay(directory, order.requesterId);
      if (E.isLeft(requesterDisplay)) return requesterDisplay;
      const record = await startRecord({ store: directory.store, newId }, recordDefinition, id);
      if (E.isLeft(record)) return record;
      const { kind, code, occurrencePeriod, requesterId, reasonConditionIds } = order;
      const body: OrderCommandBody = {
        kind,
        code,
        occurrencePeriod,
        authoredOn: toFullPrecision(order.authoredOn ?? formatInstant(at)),
        requesterId,
        requesterDisplay: requesterDisplay.right,
        reasonConditionIds,
        elements: storeOrderElements(order),
      };
      return E.right({ record: record.right, patientId, body, sideChanges: [] });
    },
  };
};
