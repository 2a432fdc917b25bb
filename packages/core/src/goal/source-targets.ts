import { leftOutIssue } from '../fhir/issues.ts';
import { isObject } from '../fhir/schema.ts';
import { createElementReader, type SentResource, type SourceReading } from '../fhir/source-resource.ts';
import { isStored } from '../importer/import-report.ts';
import { type GoalTarget, goalTarget } from './elements.ts';
import { furtherTargetUrl, readFurtherTarget } from './further-targets.ts';

const readOneTarget = createElementReader<{ readonly target?: GoalTarget }>('Goal', {
  target: goalTarget.optional(),
});

/** The target of a goal, and those beyond it. */
type SourceTargets = {
  readonly target: GoalTarget | undefined;
  readonly furtherTargets: readonly GoalTarget[];
};

export const noTargets: SourceReading<SourceTargets> = {
  value: { target: undefined, furtherTargets: [] },
  issues: [],
};

/** Reads a target with its issues at its own place. */
const readTargetAt = (sent: unknown, element: string): SourceReading<GoalTarget | undefined> => {
  const { value, issues } = readOneTarget({ target: sent });
  const locate = (expression = '') => expression.replace('Goal.target', element);
  return {
    value: value.target,
    issues: issues.map((issue) => ({ ...issue, expression: locate(issue.expression) })),
  };
};

/** The further targets of a goal that comes from these records. */
const readTargetExtensions = (
  { extension }: SentResource,
  extensionBase: string,
): SourceReading<readonly GoalTarget[]> => {
  const sent = [extension ?? []]
    .flat()
    .filter((one) => isObject(one) && one.url === furtherTargetUrl(extensionBase));
  const readings = sent.map((one) => readTargetAt(readFurtherTarget(one), 'Goal.extension'));
  return {
    value: readings.flatMap(({ value }) => value ?? []),
    issues: readings.some(({ issues }) => issues.length > 0) ? [leftOutIssue('Goal.extension')] : [],
  };
};

/** The first target with a due date, or else the first, is that of the goal. Each other one that says anything else is a further one. */
export const readTargets = (
  target: readonly { readonly dueDate?: string | undefined }[],
  sent: SentResource,
  extensionBase: string,
): SourceReading<SourceTargets> => {
  const dated = target.findIndex(({ dueDate }) => dueDate !== undefined);
  const kept = Math.max(dated, 0);
  const targets = (sent.target ?? []) as readonly SentResource[];
  const readings = targets.map((one, index) =>
    index !== kept && isStored(one, targets[kept])
      ? { value: undefined, issues: [] }
      : readTargetAt(one, `Goal.target[${index}]`),
  );
  const own = readTargetExtensions(sent, extensionBase);
  const others = readings.flatMap(({ value }, index) => (index === kept ? [] : (value ?? [])));
  return {
    value: { target: readings[kept]?.value, furtherTargets: [...others, ...own.value] },
    issues: [...readings, own].flatMap(({ issues }) => issues),
  };
};
