import type { ClinicalRecords, GoalCommand } from '@clinical-records/core';
import { dayFromToday } from './calendar.ts';
import { anika, fatima, lindqvist, nils, okafor, rosa, tanaka } from './people.ts';

/** Goals in every state: under way, closed, reopened, entered in error, and staged only. */
export const putGoals = async ({ chart }: Pick<ClinicalRecords, 'chart'>): Promise<void> => {
  const record = async (command: GoalCommand, by: string) =>
    chart.record(command, { by: `Practitioner/${by}` });

  const { id } = await chart.stage({
    kind: 'goal',
    id: 'demo-goal-1',
    patientId: rosa,
    description: 'Hemoglobin A1c below 7 %',
    startDate: dayFromToday(-60),
    dueDate: dayFromToday(60),
    priority: 'high-priority',
    achievementStatus: 'in-progress',
  });
  await chart.commit(id, { by: `Practitioner/${okafor}` });
  await record(
    {
      kind: 'updateGoal',
      goalId: 'demo-goal-1',
      achievementStatus: 'improving',
      progress: 'A1c went from 8.1 to 7.6.',
      barriers: 'Works nights and eats late.',
    },
    tanaka,
  );
  await record(
    { kind: 'updateGoal', goalId: 'demo-goal-1', priority: 'medium-priority', dueDate: dayFromToday(120) },
    okafor,
  );

  await record(
    {
      kind: 'goal',
      id: 'demo-goal-2',
      patientId: rosa,
      description: 'Walk thirty minutes on five days a week',
      startDate: dayFromToday(-60),
      dueDate: dayFromToday(-10),
      achievementStatus: 'in-progress',
    },
    okafor,
  );
  await record(
    { kind: 'closeGoal', goalId: 'demo-goal-2', achievementStatus: 'achieved', progress: 'Walks every day.' },
    okafor,
  );

  const mistaken = await record(
    { kind: 'goal', id: 'demo-goal-3', patientId: nils, description: 'Stop smoking' },
    lindqvist,
  );
  await chart.enterInError(mistaken.id, { by: `Practitioner/${lindqvist}` });

  await record(
    {
      kind: 'goal',
      id: 'demo-goal-4',
      patientId: nils,
      description: 'Blood pressure below 130/80',
      descriptionCoding: [
        { system: 'http://snomed.info/sct', code: '2004005', display: 'Normal blood pressure' },
      ],
      dueDate: dayFromToday(30),
      priority: 'high-priority',
    },
    lindqvist,
  );
  await record({ kind: 'updateGoal', goalId: 'demo-goal-4', dueDate: null }, lindqvist);
  const closed = await record({ kind: 'closeGoal', goalId: 'demo-goal-4' }, lindqvist);
  await chart.enterInError(closed.id, { by: `Practitioner/${lindqvist}` });

  await chart.stage({ kind: 'goal', id: 'demo-goal-5', patientId: anika, description: 'Sleep seven hours' });

  await record(
    {
      kind: 'goal',
      id: 'demo-goal-6',
      patientId: rosa,
      description: 'Have the eyes examined for retinopathy',
      startDate: dayFromToday(-54),
      dueDate: dayFromToday(-5),
      priority: 'high-priority',
      achievementStatus: 'no-progress',
      barriers: 'Nobody can drive her there in the morning.',
    },
    okafor,
  );
  await record(
    {
      kind: 'goal',
      id: 'demo-goal-7',
      patientId: fatima,
      description: 'Iron above 30 µg/l',
      startDate: dayFromToday(-20),
      dueDate: dayFromToday(70),
      priority: 'medium-priority',
      achievementStatus: 'in-progress',
    },
    okafor,
  );
};
