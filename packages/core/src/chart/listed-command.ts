import * as E from 'fp-ts/lib/Either.js';
import type { Outcome } from '../errors.ts';
import { utc } from '../fhir/date-time.ts';
import type { RecordDefinition, SearchFacts } from '../records/definition.ts';
import { lookUpInGroups } from '../records/include.ts';
import {
  type Authorship,
  createChange,
  type LoadedRecord,
  load,
  missingRecord,
  recordExists,
} from '../records/transact.ts';
import { indexerOf, type StoredParameterTable } from '../search/index-entries.ts';
import type { StoredSearchInput } from '../search/search-input.ts';
import type { ClinicalStore, RecordChange, RecordRef } from '../store/port.ts';
import {
  type ChartRecord,
  type ChartResourceType,
  type CommandRef,
  type CommandState,
  type CommandStatus,
  commandId,
  commandStatuses,
  statusOf,
} from './command.ts';

/** Source: docs/chart-commands.md#search. */
export const commandParameters = {
  /** When the command was staged or took its last step: a time, with a prefix such as `ge` or without. */
  _lastUpdated: { kind: 'lastUpdated' },
  /** The patient: `Patient/<id>`, or the id. */
  patient: { kind: 'patient' },
  status: { kind: 'token', at: 'status', codes: commandStatuses },
  /** The person or device that staged the command: `Practitioner/<id>`, or the id. */
  author: {
    kind: 'reference',
    at: 'author',
    types: ['Practitioner', 'PractitionerRole', 'Patient', 'RelatedPerson', 'Device'],
  },
} as const satisfies StoredParameterTable<ListedCommand>;

/** The search parameters of commands. Source: docs/chart-commands.md#search. */
export interface CommandSearch extends StoredSearchInput<typeof commandParameters> {}

/**
 * How a search finds a command: a record of its own, because a search finds only records with a resource, and one for each command.
 * The record of the commands has all the rest.
 */
export type ListedCommand = {
  readonly id: string;
  readonly patientId: string;
  /** The record of the commands. */
  readonly made: { readonly type: ChartResourceType; readonly id: string };
  readonly index: number;
  readonly status: CommandStatus;
  /** The person or device that staged it; null if nobody was named. */
  readonly author: string | null;
};

/** The resource of such a record. Only a search looks at it. */
export type ListedResource = Pick<ListedCommand, 'patientId'> & { readonly command: string };

export const commandFacts: SearchFacts = {
  type: 'Command',
  path: 'commands',
  parameters: commandParameters,
  elements: { mandatory: ['patientId', 'command'], summary: [] },
};

export const listedCommandDefinition: RecordDefinition<ListedCommand> = {
  type: commandFacts.type,
  id: ({ id }) => id,
  patientId: ({ patientId }) => patientId,
  derive: (listed) => ({
    resource: {
      resourceType: commandFacts.type,
      id: listed.id,
      patientId: listed.patientId,
      command: commandId({ ...listed.made, index: listed.index }),
    } satisfies ListedResource & { readonly resourceType: string; readonly id: string },
    index: indexerOf(commandParameters)(listed, utc),
  }),
  refersTo: ({ made }) => [made],
  withPatient: (state, _, patientId) => ({ ...state, patientId }),
};

/** A place in a record, which may have no commands. */
type ListedRef = RecordRef & { readonly index: number };

const idOf = ({ type, id, index }: ListedRef): string => `${type}.${id}.${index}`;

/** The change that lists a new command. */
export const listCommand = (
  type: ChartResourceType,
  { id, patientId, commands }: ChartRecord<unknown>,
  { index, authorship }: { readonly index: number; readonly authorship: Authorship },
): RecordChange => {
  const command = commands[index] as CommandState<unknown>;
  const listed: ListedCommand = {
    id: idOf({ type, id, index }),
    patientId,
    made: { type, id },
    index,
    status: statusOf(command),
    author: command.stagedBy?.by ?? null,
  };
  return createChange(listedCommandDefinition, missingRecord(listed.id), listed, authorship);
};

/** The change that lists a command with another status; none for a command that no list has, such as an imported one. */
export const relistCommand = async (
  store: ClinicalStore,
  ref: CommandRef,
  { status, authorship }: { readonly status: CommandStatus; readonly authorship: Authorship },
): Outcome<readonly RecordChange[]> => {
  const loaded = await load(store, listedCommandDefinition, idOf(ref));
  if (E.isLeft(loaded)) return loaded;
  if (!recordExists(loaded.right)) return E.right([]);
  const listed = { ...loaded.right.state, status };
  return E.right([createChange(listedCommandDefinition, loaded.right, listed, authorship)]);
};

/** The changes that list the commands of a record in the chart of another patient. */
export const moveListedCommands = async (
  store: ClinicalStore,
  record: RecordRef & { readonly length: number },
  { patientId, authorship }: { readonly patientId: string; readonly authorship: Authorship },
): Outcome<readonly RecordChange[]> => {
  const { type, id, length } = record;
  const refs = Array.from({ length }, (_, index) => idOf({ type, id, index }));
  const loaded = await lookUpInGroups(
    (listedId: string): Outcome<LoadedRecord<ListedCommand>> =>
      load(store, listedCommandDefinition, listedId),
  )(refs);
  if (E.isLeft(loaded)) return loaded;
  return E.right(
    loaded.right
      .filter(recordExists)
      .map((listed) =>
        createChange(listedCommandDefinition, listed, { ...listed.state, patientId }, authorship),
      ),
  );
};
