import { membersOf } from '../care-team.ts';
import { formatDate } from '../dates/dates.ts';
import { furtherTargetsOf } from '../goals.ts';
import { amountOf } from '../immunization/given-dose.ts';
import { conceptName } from '../names.ts';
import type { CareTeam, ChartResource, Goal, Immunization, ServiceRequest } from '../resources.ts';
import { statusLabels } from '../status-labels.ts';

/** One thing that a version of a resource says. The key is the same in each version that says it. */
export type Fact = { readonly key: string; readonly label: string; readonly value: string };

const fact = (label: string, value: string | undefined): readonly Fact[] =>
  value === undefined || value === '' ? [] : [{ key: label, label, value }];

const dateFact = (label: string, date: string | undefined) =>
  fact(label, date === undefined ? undefined : formatDate(date));

/** A member who is not active has the status before the role, and a fact apart from that of an active member. */
const teamFacts = (team: CareTeam): readonly Fact[] => {
  const status = team.status === 'active' ? [] : [statusLabels[team.status]];
  return membersOf(team).map(({ reference, name, role, isLead }) => ({
    key: [...status, reference].join(' '),
    label: name,
    value: [...status, role || 'on the team', ...(isLead ? ['lead'] : [])].join(', '),
  }));
};

const goalFacts = (goal: Goal): readonly Fact[] => [
  ...fact('Goal', goal.description.text),
  ...fact('Status', statusLabels[goal.lifecycleStatus]),
  ...fact('Achievement', conceptName(goal.achievementStatus)),
  ...fact('Priority', conceptName(goal.priority)),
  ...dateFact('Start', goal.startDate),
  ...dateFact('Due', goal.target?.[0]?.dueDate),
  ...furtherTargetsOf(goal).map((text, index) => ({
    key: `target ${index}`,
    label: 'Further target',
    value: text,
  })),
  ...(goal.note ?? []).map(({ id, text }) => ({ key: `note ${id}`, label: 'Note', value: text })),
];

const orderFacts = (order: ServiceRequest): readonly Fact[] => [
  ...fact('Order', conceptName(order.code)),
  ...fact('Status', statusLabels[order.status]),
  ...fact('Priority', order.priority),
  ...dateFact('From', order.occurrencePeriod?.start),
  ...dateFact('Until', order.occurrencePeriod?.end),
  ...fact('Requester', order.requester?.display ?? order.requester?.reference),
];

const immunizationFacts = (immunization: Immunization): readonly Fact[] => [
  ...fact('Vaccine', conceptName(immunization.vaccineCode)),
  ...fact('Status', statusLabels[immunization.status]),
  ...fact('Reason', conceptName(immunization.statusReason)),
  ...dateFact('Date', immunization.occurrenceDateTime),
  ...fact('Source', immunization.primarySource ? 'given here' : 'reported'),
  ...fact('Lot', immunization.lotNumber),
  ...dateFact('Expires', immunization.expirationDate),
  ...fact('Site', conceptName(immunization.site)),
  ...fact('Route', conceptName(immunization.route)),
  ...fact('Dose', amountOf(immunization)),
  ...fact('Note', immunization.note?.map(({ text }) => text).join(' ')),
];

/** The facts of a version of a resource, in the words of the chart. */
export const factsOf = (resource: ChartResource): readonly Fact[] => {
  switch (resource.resourceType) {
    case 'CareTeam':
      return teamFacts(resource);
    case 'Goal':
      return goalFacts(resource);
    case 'ServiceRequest':
      return orderFacts(resource);
    case 'Immunization':
      return immunizationFacts(resource);
  }
};
