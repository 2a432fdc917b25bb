import * as E from 'fp-ts/lib/Either.js';
import type { Returned } from '../access/access-event.ts';
import { type AccessOptions, reportReturned } from '../access/access-options.ts';
import type { Reports } from '../access/reports.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { invalidRequest, notSupported, type Outcome } from '../errors.ts';
import type { PractitionerReference } from '../fhir/reference.ts';
import type { EithersOf } from '../outcome.ts';
import type { ChartSection, CommandEntry } from './chart-section.ts';
import { type ChartResourceType, parseCommandId } from './command.ts';
import type { CommandStep } from './command-lifecycle.ts';
import { chartIssue } from './issues.ts';
import { requirePractitioner } from './require-practitioner.ts';

/** The author of a change of the chart. */
export type Author = {
  /**
   * The practitioner who makes the change, such as `Practitioner/12`. The directory or the host must know the practitioner. The
   * chart also keeps the current name in the directory.
   */
  readonly by: PractitionerReference;
};

/** The kind of a command, which says what else it has. */
export type CommandInput = {
  /** The kind of command, such as `goal`. */
  readonly kind: string;
};

/**
 * The actions of a host in its own screens. The clock gives the time. Each action that writes can return `InvalidRequest`,
 * `RuleViolation` and `StoreFailure`. Actions on a command can also return `NotFound`, and `completeOrder` `NotSupported`.
 */
export type Chart<Input extends CommandInput> = {
  /**
   * Adds a command to the chart. No resource shows it yet, except an order, which reads as a draft. A goal that the command is
   * about gets a new version with the same content as the previous one.
   */
  readonly stage: (command: Input) => Promise<CommandEntry<Input['kind']>>;
  /** Puts a staged command into effect from now on. */
  readonly commit: (commandId: string, by: Author) => Promise<CommandEntry<Input['kind']>>;
  /** Stages and commits at once. */
  readonly record: (command: Input, by: Author) => Promise<CommandEntry<Input['kind']>>;
  /** Records that an order was carried out. */
  readonly completeOrder: (commandId: string, by: Author) => Promise<CommandEntry<Input['kind']>>;
  /** Marks a command as entered in error, so that it has no effect. A repeated call changes nothing. */
  readonly enterInError: (commandId: string, by: Author) => Promise<CommandEntry<Input['kind']>>;
  /**
   * The commands behind a resource, imported or created here, in the order of staging and with any status. The first creates
   * the resource. For a goal, commands that update and close it follow.
   * Errors: `InvalidRequest`, `NotFound`, `StoreFailure`.
   */
  readonly commandsOf: (
    resource: Pick<CommandEntry<string>, 'resourceType' | 'resourceId'>,
    options?: AccessOptions,
  ) => Promise<readonly CommandEntry<Input['kind']>[]>;
};

/** The resource behind a command. */
const writtenCommand = ({ resourceType, resourceId, patientId }: CommandEntry<string>): Returned => ({
  resources: [{ type: resourceType, id: resourceId, version: null, patientId }],
  searchedPatientIds: [],
});

const reportStep = (id: string, user: Author | undefined) =>
  ({ interaction: 'update', type: null, id, user, written: writtenCommand }) as const;

/** The reports of the functions. */
export const chartReports: Reports<Chart<CommandInput>> = {
  commit: reportStep,
  record: (_, user) => ({ interaction: 'create', type: null, user, written: writtenCommand }),
  completeOrder: reportStep,
  enterInError: reportStep,
  commandsOf: (_, user) => ({ interaction: 'read', type: null, user }),
};

export const createChart = <Input extends CommandInput>(
  sections: Readonly<Record<ChartResourceType, ChartSection<Input['kind']>>>,
  directory: DirectoryRecords,
): EithersOf<Chart<Input>> => {
  // Arguments are read at the call, so a caller that changes the objects later does not change the request.
  const withSection = async (
    command: Input,
    use: (section: ChartSection<Input['kind']>) => Outcome<CommandEntry<Input['kind']>>,
  ): Outcome<CommandEntry<Input['kind']>> => {
    const kind = (command as Input | null)?.kind ?? '';
    const section = Object.values(sections).find(({ kinds }) => kinds.includes(kind));
    return section === undefined
      ? E.left(invalidRequest(chartIssue('command-kind', 'Command.kind')))
      : use(section);
  };
  const takeStep = async (
    step: CommandStep,
    id: string,
    author: Author,
  ): Outcome<CommandEntry<Input['kind']>> => {
    const command = parseCommandId(id);
    if (command === null) return E.left(invalidRequest(chartIssue('command-id', 'commandId')));
    const section = sections[command.type];
    if (!section.steps.includes(step))
      return E.left(notSupported(chartIssue('not-an-order', 'Command.kind')));
    const stepAuthor = await requirePractitioner(directory, author);
    if (E.isLeft(stepAuthor)) return stepAuthor;
    return section.step(command, { step, author: stepAuthor.right });
  };

  const commandsOf: EithersOf<Chart<Input>>['commandsOf'] = async (
    { resourceType, resourceId },
    options = {},
  ) => {
    if (!Object.hasOwn(sections, resourceType)) {
      return E.left(invalidRequest(chartIssue('command-resource', 'Command.resourceType')));
    }
    if (parseCommandId(resourceId) !== null) {
      return E.left(invalidRequest(chartIssue('resource-id', 'Command.resourceId')));
    }
    return reportReturned(options, sections[resourceType].commandsOf(resourceId), (entries) =>
      entries.slice(0, 1).map(({ patientId }) => ({
        ...{ type: resourceType, id: resourceId, version: null, patientId },
      })),
    );
  };

  return {
    stage: (command) => withSection(command, (section) => section.stage(command)),
    record: (command, by) =>
      withSection(command, (section) => section.record(command, () => requirePractitioner(directory, by))),
    commit: (id, by) => takeStep('commit', id, by),
    completeOrder: (id, by) => takeStep('complete', id, by),
    enterInError: (id, by) => takeStep('enterInError', id, by),
    commandsOf,
  };
};
