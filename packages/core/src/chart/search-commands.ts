import * as E from 'fp-ts/lib/Either.js';
import type { AnswerContent } from '../access/access.ts';
import type { Environment } from '../environment.ts';
import { type Outcome, toClinicalError } from '../errors.ts';
import type { BundleLink } from '../fhir/bundle.ts';
import type { EithersOf } from '../outcome.ts';
import { lookUpInGroups } from '../records/include.ts';
import { createSearches } from '../records/json-reads.ts';
import { searchedPatientIdsOf, searchLinks } from '../records/page.ts';
import { isErasedVersion } from '../records/transact.ts';
import { maxPageBytes } from '../search/paging.ts';
import { pageParameters } from '../search/parse-search.ts';
import { pairsOf } from '../search/search-input.ts';
import { sortParameter } from '../search/sort.ts';
import type { ClinicalStore, RecordRef, StoredRecord } from '../store/port.ts';
import { createPace, createTurns } from '../store/turns.ts';
import { bytesOf } from '../store/versions.ts';
import type { Chart, CommandEntry, CommandInput } from './chart.ts';
import type { ChartSection } from './chart-section.ts';
import { type ChartResourceType, type CommandRef, parseCommandId } from './command.ts';
import { commandFacts, type ListedResource } from './listed-command.ts';

/** The result of `chart.search`. */
export type CommandPage<Input extends CommandInput> = {
  /** How many commands match, on this page or not. */
  readonly total: number;
  /** Links to this page, to the first and the last one, and to the next one if there is more. */
  readonly link: readonly BundleLink[];
  readonly commands: readonly CommandEntry<Input>[];
};

/** The resource behind a command. */
export const returnedCommand = ({
  resourceType,
  resourceId,
  version,
  patientId,
}: Pick<
  CommandEntry<CommandInput>,
  'resourceType' | 'resourceId' | 'version' | 'patientId'
>): AnswerContent['resources'] => [{ type: resourceType, id: resourceId, version, patientId }];

/** How many records of a page are read at the same moment: those of two pages, if each is as large as it can be. */
const recordsAtOnce = 4;

/** The pages of all searches take turns. */
const takeTurn = createTurns();

/** A listed command, and the name of its record. */
type ListedRef = CommandRef & { readonly name: string; readonly patientId: string };

const toListedRef = ({ command, patientId }: ListedResource): ListedRef => {
  const { type, id, index } = parseCommandId(command) as CommandRef;
  return { type, id, index, name: `${type}/${id}`, patientId };
};

type Sections<Input extends CommandInput> = Readonly<Record<ChartResourceType, ChartSection<Input>>>;

const readStored =
  (store: ClinicalStore) =>
  async (ref: RecordRef): Outcome<StoredRecord | null> =>
    E.mapLeft(toClinicalError)(await store.read(ref));

/** Reads listed commands as they are now. Each record is read once, and large ones are parsed in several turns. */
const createCommandReader = <Input extends CommandInput>(
  store: ClinicalStore,
  sections: Sections<Input>,
  keepPace: ReturnType<typeof createPace>,
) => {
  type CommandAt = (index: number) => CommandEntry<Input> | null;
  const records = new Map<string, { readonly patientId: string; readonly commandAt: CommandAt }>();

  const open = async ({ name, type, patientId }: ListedRef, stored: StoredRecord | null): Promise<void> => {
    // It may have left the chart in which it was found.
    const isThere = stored?.patientId === patientId && !isErasedVersion(stored);
    records.set(name, { patientId, commandAt: isThere ? sections[type].open(stored) : () => null });
    await keepPace(stored?.state ?? '');
  };

  return async (group: readonly ListedRef[]): Outcome<readonly (CommandEntry<Input> | null)[]> => {
    const unread = [...new Map(group.map((ref) => [ref.name, ref])).values()].filter(
      ({ name }) => !records.has(name),
    );
    const read = await lookUpInGroups(readStored(store))(unread.map(({ type, id }) => ({ type, id })));
    if (E.isLeft(read)) return read;
    for (const [at, ref] of unread.entries()) await open(ref, read.right[at] ?? null);
    return E.right(group.map(({ name, index }) => records.get(name)?.commandAt(index) ?? null));
  };
};

const resultParameters = { ...pageParameters, ...sortParameter(commandFacts.parameters) };

/** Creates the search of the commands of charts. A page ends before the command that would make it too large. */
export const createCommandSearch = <Input extends CommandInput>(
  environment: Environment,
  sections: Sections<Input>,
): EithersOf<Chart<Input>>['search'] => {
  const { parse, findPage } = createSearches(environment, { facts: commandFacts });

  /** Reads listed commands until they are too large for a page; null for one that is not in the chart any more. */
  const readPage = async (
    listed: readonly ListedResource[],
  ): Outcome<readonly (CommandEntry<Input> | null)[]> => {
    const keepPace = createPace(takeTurn);
    const readCommands = createCommandReader(environment.store, sections, keepPace);
    const commands: (CommandEntry<Input> | null)[] = [];
    let bytes = 0;
    await takeTurn();
    for (let begin = 0; begin < listed.length; begin += recordsAtOnce) {
      const group = await readCommands(listed.slice(begin, begin + recordsAtOnce).map(toListedRef));
      if (E.isLeft(group)) return group;
      for (const command of group.right) {
        const json = JSON.stringify(command);
        bytes += bytesOf(json);
        if (commands.length > 0 && bytes > maxPageBytes) return E.right(commands);
        commands.push(command);
        await keepPace(json);
      }
    }
    return E.right(commands);
  };

  const search: EithersOf<Chart<Input>>['search'] = async (parameters, options = {}) => {
    const parsed = parse(parameters, { ...options, handling: 'strict' }, resultParameters);
    if (E.isLeft(parsed)) return parsed;
    const found = await findPage(parsed.right);
    if (E.isLeft(found)) return found;
    const listed = found.right.matches.map(({ resource }): ListedResource => JSON.parse(resource));
    const read = await readPage(listed);
    if (E.isLeft(read)) return read;
    if (read.right.length < listed.length) {
      const others = [...pairsOf(parameters)].filter(([name]) => name !== '_count');
      return search([...others, ['_count', `${read.right.length}`]], options);
    }
    const commands = read.right.filter((command) => command !== null);
    const { search: asked, reach } = parsed.right;
    reach.report(() => ({
      resources: commands.flatMap(returnedCommand),
      searchedPatientIds: searchedPatientIdsOf(asked.conditions, found.right.conditions),
    }));
    const link = searchLinks({ facts: commandFacts, search: asked }, found.right, options);
    return E.right({ total: found.right.total ?? 0, link, commands });
  };
  return search;
};
