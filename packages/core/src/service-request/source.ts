import * as z from 'zod';
import { createImportedCommand } from '../chart/command.ts';
import type { Environment } from '../environment.ts';
import { isSameSystem, withFurtherCodings } from '../fhir/coding.ts';
import { toFullPrecision } from '../fhir/date-time.ts';
import { essential } from '../fhir/element.ts';
import { type BodyRule, leftOutIssue } from '../fhir/issues.ts';
import { schemaForBase } from '../fhir/schema.ts';
import {
  createElementReader,
  createSourceIdSchema,
  createSourceReader,
  practitionersIn,
  readCodedConcept,
  readFirstMeaning,
  readPerson,
  readReferencedId,
  type SourceConcept,
  type SourceDetails,
  type SourceReader,
  sourceConcept,
  sourceElements,
} from '../fhir/source-resource.ts';
import type { OtherVersion } from '../importer/other-formats.ts';
import {
  categories,
  type LoincCoding,
  loinc,
  type OrderCommandBody,
  type OrderElements,
  type OrderRecord,
  orderElements,
  orderKinds,
  type ServiceRequest,
  storeOrderElements,
} from './model.ts';

/** The status of the command in each of FHIR's states that an order can have here. */
const statusByState = {
  draft: 'staged',
  active: 'committed',
  completed: 'completed',
  'entered-in-error': 'entered-in-error',
} as const;

/** The kind of order that the categories name. */
const readOrderKind = (concepts: readonly SourceConcept[]) =>
  readFirstMeaning(concepts, 'ServiceRequest.category', ({ system, code }) =>
    orderKinds.find(
      (kind) => isSameSystem(system, categories[kind].system) && categories[kind].code === code,
    ),
  );

/** The codings in LOINC, or without them the service in words. Null if there is nothing that names it. */
const readServiceCode = (extensionBase: string, concept: SourceConcept): OrderCommandBody['code'] | null => {
  const { coding, ...rest } = readCodedConcept<LoincCoding>(
    extensionBase,
    concept,
    ({ system, code, display = concept.text, ...others }) =>
      isSameSystem(system, loinc) && code !== undefined
        ? { system: loinc, code, display, ...others }
        : undefined,
  );
  if (coding.length > 0) return { coding, ...rest };
  const { coding: sent = [], text } = concept;
  const words = [text, ...sent.map(({ display }) => display), ...sent.map(({ code }) => code)];
  const named = words.find((word) => word !== undefined && word !== '');
  return named === undefined ? null : { ...rest, text: named };
};

const createSourceSchema = schemaForBase((extensionBase) =>
  z.object({
    id: sourceElements.id,
    status: z.enum(Object.keys(statusByState) as (keyof typeof statusByState)[]),
    intent: z.literal('order'),
    doNotPerform: essential(z.literal(false).optional()),
    category: z.array(sourceConcept).refine((concepts) => readOrderKind(concepts).value !== undefined, {
      params: {
        rule: 'unsupported-codes' satisfies BodyRule,
        allowed: orderKinds.map((kind) => `${categories[kind].system}|${categories[kind].code}`),
      },
    }),
    code: sourceConcept.refine((concept) => readServiceCode(extensionBase, concept) !== null, {
      params: { rule: 'unsupported-codes' satisfies BodyRule, allowed: ['any code', 'a text'] },
    }),
    subject: createSourceIdSchema('Patient'),
    occurrencePeriod: sourceElements.period.optional(),
    occurrenceDateTime: sourceElements.dateTime.optional(),
    authoredOn: sourceElements.dateTime,
    requester: sourceElements.reference.optional(),
    reasonReference: z.array(sourceElements.reference).optional(),
  }),
);

const readElements = createElementReader<OrderElements>('ServiceRequest', orderElements);

/** The order that derives to the request of another system. Other states and kinds of order have none that comes near. */
export const createServiceRequestSourceReader = ({
  now,
  extensionBase,
}: Pick<Environment, 'now' | 'extensionBase'>): SourceReader<OrderRecord & SourceDetails> =>
  createSourceReader(createSourceSchema(extensionBase), 'ServiceRequest', (request, sent) => {
    const { status, occurrenceDateTime: occurrence } = request;
    const requester = readPerson('ServiceRequest.requester', request.requester);
    const reasons = (request.reasonReference ?? []).map((sent, index) =>
      readReferencedId(`ServiceRequest.reasonReference[${index}]`, 'Condition', sent),
    );
    const { start, end } = request.occurrencePeriod ?? { start: occurrence, end: occurrence };
    const { value: kind = 'referral', issues } = readOrderKind(request.category);
    const hasPeriod = start !== undefined || end !== undefined;
    // FHIR allows one of them.
    const isTimedTwice = hasPeriod && sent.occurrenceTiming !== undefined;
    const { value: elements, issues: elementIssues } = readElements(
      isTimedTwice ? { ...sent, occurrenceTiming: undefined } : sent,
    );
    const body: OrderCommandBody = {
      kind,
      code: readServiceCode(extensionBase, request.code) ?? {},
      occurrencePeriod: hasPeriod ? { start, end } : undefined,
      authoredOn: toFullPrecision(request.authoredOn),
      requesterId: requester.value?.id,
      requesterDisplay: requester.value?.display,
      reasonConditionIds: reasons.flatMap(({ value }) => value.map(({ id }) => id)),
      elements: storeOrderElements(elements),
    };
    const command = createImportedCommand(body, { importedAt: now(), status: statusByState[status] });
    return {
      value: {
        practitioners: practitionersIn([requester.value]),
        id: request.id,
        patientId: request.subject,
        commands: [command],
      },
      issues: [
        ...issues,
        ...requester.issues,
        ...reasons.flatMap((reason) => reason.issues),
        ...elementIssues,
        ...(isTimedTwice ? [leftOutIssue('ServiceRequest.occurrenceTiming')] : []),
      ],
    };
  });

/** An order in which a requester without a name has the one that the directory knows. */
export const nameRequester = (record: OrderRecord, displays: ReadonlyMap<string, string>): OrderRecord => ({
  ...record,
  commands: record.commands.map(({ body, ...steps }) => {
    const requesterDisplay = body.requesterDisplay ?? displays.get(body.requesterId ?? '');
    return { body: { ...body, requesterDisplay }, ...steps };
  }),
});

/** An order with the name of the requester that it had after an earlier import. */
export const continueOrder = ({ commands: [before] }: OrderRecord, record: OrderRecord): OrderRecord => {
  const { requesterId, requesterDisplay } = before?.body ?? {};
  return requesterId === undefined || requesterDisplay === undefined
    ? record
    : nameRequester(record, new Map([[requesterId, requesterDisplay]]));
};

/** An order as other systems send it: its period may have been sent as one time. */
export const toSourceOrder = (order: ServiceRequest): object => ({
  ...order,
  code: withFurtherCodings(order.code),
  occurrenceDateTime: order.occurrencePeriod?.start,
});

export const otherVersions: readonly OtherVersion[] = [
  { version: 'R5', element: 'code.concept', inR4: 'code.coding' },
  { version: 'R5', element: 'reason', inR4: 'reasonCode and reasonReference' },
  { version: 'STU3', type: 'ProcedureRequest' },
  { version: 'STU3', type: 'ReferralRequest' },
  { version: 'DSTU2', type: 'DiagnosticOrder' },
];
