import type { ChartRecord, CommandState } from '../chart/command.ts';
import type { GoalCommandBody } from '../goal/model.ts';
import type { ImmunizationCommandBody } from '../immunization/model.ts';
import type { OrderCommandBody } from '../service-request/model.ts';
import { omitChartReferences } from './omit-chart-references.ts';

export type CommandBody = OrderCommandBody | GoalCommandBody | ImmunizationCommandBody;

/** A command without what belongs to the chart that it leaves. An immunization gets another note. */
const moveBody = (body: CommandBody, noteId: string): CommandBody => {
  if ('notes' in body) return body;
  if ('noteId' in body) {
    const [elements, note] = [omitChartReferences(body.elements), omitChartReferences(body.note)];
    return { ...body, elements, note, noteId, encounterId: null };
  }
  return { ...body, elements: omitChartReferences(body.elements), reasonConditionIds: undefined };
};

/** A record in the chart of another patient. */
export const moveRecord = (
  record: ChartRecord<CommandBody>,
  { patientId, noteId }: { readonly patientId: string; readonly noteId: string },
): ChartRecord<CommandBody> => ({
  ...record,
  patientId,
  commands: record.commands.map(
    (command): CommandState<CommandBody> => ({ ...command, body: moveBody(command.body, noteId) }),
  ),
});
