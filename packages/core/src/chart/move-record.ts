import type { ChartRecord } from './command.ts';

/** A record of commands in the chart of another patient. `moveBody` leaves out what belongs to the chart that it leaves. */
export const moveRecord = <Body>(
  record: ChartRecord<Body>,
  patientId: string,
  moveBody: (body: Body) => Body = (body) => body,
): ChartRecord<Body> => ({
  ...record,
  patientId,
  commands: record.commands.map((command) => ({ ...command, body: moveBody(command.body) })),
});
