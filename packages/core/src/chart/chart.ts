import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { displayOf } from '../directory/display-of.ts';
import { type ClinicalTask, invalidRequest, notSupported } from '../errors.ts';
import type { Result, TasksOf } from '../result.ts';
import type { ChartSection, CommandEntry } from './chart-section.ts';
import { type ChartResourceType, parseCommandId, type StepAuthor } from './command.ts';
import type { CommandStep } from './command-lifecycle.ts';
import { chartIssue } from './issues.ts';

/**
 * The practitioner who does it: the id, or `Practitioner/<id>`. The directory or the host must know it. The id is kept, and the
 * name that the directory has at that time.
 */
export type Author = { readonly by: string };

/**
 * What a host does in its own screens. Time is the clock's. Errors of all that write: `InvalidRequest`, `RuleViolation`,
 * `StoreFailure`; of those that name a command also `NotFound`, and of `completeOrder` `NotSupported`.
 */
export type Chart<Input extends { readonly kind: string }> = {
  /**
   * Puts a command into the chart, where nothing shows it yet, unless it is an order: that reads as a draft. A goal that it is
   * about gets a version that says what the one before did.
   */
  readonly stage: (command: Input) => Result<CommandEntry<Input['kind']>>;
  /** Makes a staged command count from now on. */
  readonly commit: (commandId: string, by: Author) => Result<CommandEntry<Input['kind']>>;
  /** Stages and commits at once. */
  readonly record: (command: Input, by: Author) => Result<CommandEntry<Input['kind']>>;
  /** Says that an order was carried out. */
  readonly completeOrder: (commandId: string, by: Author) => Result<CommandEntry<Input['kind']>>;
  /** Takes a command out of what counts; to do it again changes nothing. */
  readonly enterInError: (commandId: string, by: Author) => Result<CommandEntry<Input['kind']>>;
  /**
   * The commands behind a resource, whether it was imported or made here, in the order in which they were staged and
   * whatever has become of them: first the one that makes it, then, of a goal, those that update and close it.
   * Errors: `InvalidRequest`, `NotFound`, `StoreFailure`.
   */
  readonly commandsOf: (
    resource: Pick<CommandEntry<string>, 'resourceType' | 'resourceId'>,
  ) => Result<readonly CommandEntry<Input['kind']>[]>;
};

export const createChart = <Input extends { readonly kind: string }>(
  sections: Readonly<Record<ChartResourceType, ChartSection<Input['kind']>>>,
  directory: DirectoryRecords,
): TasksOf<Chart<Input>> => {
  // What is given is read when it is given: whoever goes on with the same objects has not changed what was asked for.
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
  const requirePractitioner = (author: Author): ClinicalTask<StepAuthor> => {
    // Nobody is named by a host without types that forgets to.
    const by: unknown = (author as Author | undefined)?.by;
    if (typeof by !== 'string') return TE.left(invalidRequest(chartIssue('by-required', 'by')));
    const id = by.replace(/^Practitioner\//, '');
    return pipe(
      directory.require('Practitioner', id, 'by'),
      TE.map(({ state }) => ({ by: id, byDisplay: displayOf(state) })),
    );
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
    return pipe(
      requirePractitioner(author),
      TE.flatMap((stepAuthor) => section.step(command, { step, author: stepAuthor })),
    );
  };

  const commandsOf: TasksOf<Chart<Input>>['commandsOf'] = ({ resourceType, resourceId }) => {
    if (!Object.hasOwn(sections, resourceType)) {
      return TE.left(invalidRequest(chartIssue('command-resource', 'Command.resourceType')));
    }
    return parseCommandId(resourceId) === null
      ? sections[resourceType].commandsOf(resourceId)
      : TE.left(invalidRequest(chartIssue('resource-id', 'Command.resourceId')));
  };

  return {
    stage: (command) => withSection(command, (section) => section.stage(command)),
    record: (command, by) =>
      withSection(command, (section) => section.record(command, requirePractitioner(by))),
    commit: (id, by) => takeStep('commit', id, by),
    completeOrder: (id, by) => takeStep('complete', id, by),
    enterInError: (id, by) => takeStep('enterInError', id, by),
    commandsOf,
  };
};
