import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type AccessOptions, reportReturned } from '../access/access-options.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { type ClinicalTask, invalidRequest, notSupported } from '../errors.ts';
import type { PractitionerReference } from '../fhir/reference.ts';
import type { Result, TasksOf } from '../result.ts';
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
  readonly stage: (command: Input) => Result<CommandEntry<Input['kind']>>;
  /** Puts a staged command into effect from now on. */
  readonly commit: (commandId: string, by: Author) => Result<CommandEntry<Input['kind']>>;
  /** Stages and commits at once. */
  readonly record: (command: Input, by: Author) => Result<CommandEntry<Input['kind']>>;
  /** Records that an order was carried out. */
  readonly completeOrder: (commandId: string, by: Author) => Result<CommandEntry<Input['kind']>>;
  /** Marks a command as entered in error, so that it has no effect. A repeated call changes nothing. */
  readonly enterInError: (commandId: string, by: Author) => Result<CommandEntry<Input['kind']>>;
  /**
   * The commands behind a resource, imported or created here, in the order of staging and with any status. The first creates
   * the resource. For a goal, commands that update and close it follow.
   * Errors: `InvalidRequest`, `NotFound`, `StoreFailure`.
   */
  readonly commandsOf: (
    resource: Pick<CommandEntry<string>, 'resourceType' | 'resourceId'>,
    options?: AccessOptions,
  ) => Result<readonly CommandEntry<Input['kind']>[]>;
};

export const createChart = <Input extends CommandInput>(
  sections: Readonly<Record<ChartResourceType, ChartSection<Input['kind']>>>,
  directory: DirectoryRecords,
): TasksOf<Chart<Input>> => {
  // Arguments are read at the call, so a caller that changes the objects later does not change the request.
  const withSection = (
    command: Input,
    use: (section: ChartSection<Input['kind']>) => ClinicalTask<CommandEntry<Input['kind']>>,
  ): ClinicalTask<CommandEntry<Input['kind']>> => {
    const kind = (command as Input | null)?.kind ?? '';
    const section = Object.values(sections).find(({ kinds }) => kinds.includes(kind));
    return section === undefined
      ? TE.left(invalidRequest(chartIssue('command-kind', 'Command.kind')))
      : use(section);
  };
  const takeStep = (
    step: CommandStep,
    id: string,
    author: Author,
  ): ClinicalTask<CommandEntry<Input['kind']>> => {
    const command = parseCommandId(id);
    if (command === null) return TE.left(invalidRequest(chartIssue('command-id', 'commandId')));
    const section = sections[command.type];
    if (!section.steps.includes(step))
      return TE.left(notSupported(chartIssue('not-an-order', 'Command.kind')));
    const readAuthor = requirePractitioner(directory, author);
    return async () => {
      const stepAuthor = await readAuthor();
      if (E.isLeft(stepAuthor)) return stepAuthor;
      return section.step(command, { step, author: stepAuthor.right })();
    };
  };

  const commandsOf: TasksOf<Chart<Input>>['commandsOf'] = ({ resourceType, resourceId }, options = {}) => {
    if (!Object.hasOwn(sections, resourceType)) {
      return TE.left(invalidRequest(chartIssue('command-resource', 'Command.resourceType')));
    }
    if (parseCommandId(resourceId) !== null) {
      return TE.left(invalidRequest(chartIssue('resource-id', 'Command.resourceId')));
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
      withSection(command, (section) => section.record(command, requirePractitioner(directory, by))),
    commit: (id, by) => takeStep('commit', id, by),
    completeOrder: (id, by) => takeStep('complete', id, by),
    enterInError: (id, by) => takeStep('enterInError', id, by),
    commandsOf,
  };
};
