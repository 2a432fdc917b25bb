import { attachFields } from '../fhir/common-elements.ts';
import { formatInstant } from '../fhir/date-time.ts';
import type { CommandEntry, CommandInput, CommandStepEntry, StagedStepEntry } from './chart.ts';
import { type CommandState, commandId, type EndStep, statusOf } from './command.ts';
import type { CommandDefinition } from './command-definition.ts';
import type { LaterFields, StoredCommand } from './command-records.ts';

const toStepEntry = ({ at, by, byDisplay, reason }: EndStep): CommandStepEntry => ({
  at: formatInstant(at),
  ...(by !== null && { by }),
  ...(byDisplay !== undefined && { byDisplay }),
  ...(reason !== undefined && { reason }),
});

const toStagedEntry = ({
  stagedAt,
  stagedBy,
}: Pick<CommandState<unknown>, 'stagedAt' | 'stagedBy'>): StagedStepEntry => ({
  ...toStepEntry({ at: stagedAt, by: null, ...stagedBy }),
  ...(stagedBy?.agent !== undefined && { agent: stagedBy.agent }),
});

const toStepEntries = ({ stagedAt, stagedBy, ...steps }: CommandState<unknown>) => {
  const { committed, completed, reopened, discarded, enteredInError } = steps;
  return {
    staged: toStagedEntry({ stagedAt, stagedBy }),
    ...(committed != null && { committed: toStepEntry(committed) }),
    ...(completed != null && { completed: toStepEntry(completed) }),
    ...(reopened != null && { reopened: toStepEntry(reopened) }),
    ...(discarded != null && { discarded: toStepEntry(discarded) }),
    ...(enteredInError != null && { enteredInError: toStepEntry(enteredInError) }),
  };
};

/** Writes a command as its entry. */
export type EntryWriter<Input extends CommandInput, Body> = (
  stored: Omit<StoredCommand<Body>, 'resource'>,
) => CommandEntry<Input>;

export const createEntryWriter =
  <Input extends CommandInput & object, Body extends { readonly kind: string }>({
    recordDefinition: { type },
    toInput,
  }: CommandDefinition<Input, Body>): EntryWriter<Input, Body> =>
  ({ record, index, version, at }) => {
    const command = record.commands[index] as CommandState<Body>;
    const { fields, ...body } = command.body as Body & LaterFields;
    const sent = index === 0 ? record.common?.fields : fields;
    const input = attachFields(toInput(record, body as unknown as Body), sent);
    return {
      id: commandId({ type, id: record.id, index }),
      kind: input.kind,
      status: statusOf(command),
      patientId: record.patientId,
      resourceType: type,
      resourceId: record.id,
      version,
      lastUpdated: formatInstant(at),
      ...toStepEntries(command),
      command: input,
    } satisfies CommandEntry<Input>;
  };
