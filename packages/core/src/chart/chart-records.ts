import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { z } from 'zod';
import type { Environment } from '../environment.ts';
import { type ClinicalError, type Fault, notFound, type Result, ruleViolation } from '../errors.ts';
import { type Act, actOn, changeTo } from '../records/change.ts';
import { isPresent, type Loaded, load } from '../records/load.ts';
import { type ResourceVersion, versionIn } from '../records/resource-version.ts';
import { type Decision, transact } from '../records/transact.ts';
import type { Change } from '../store/port.ts';
import type { ChartKind } from './chart-kind.ts';
import { type ChartRecord, type CommandRef, commandId } from './command.ts';
import { afterStep, type Step } from './steps.ts';

/** Where a new command belongs: in a record of its own or one that is there, and what has to be written beside it. */
export type Placement<Body> = {
  readonly record: Loaded<ChartRecord<Body>>;
  readonly patientId: string;
  readonly body: Body;
  readonly alongside: readonly Change[];
};

/** How the commands behind one type of resource are kept. */
export type ChartDefinition<Input, Body> = {
  readonly kind: ChartKind<Body>;
  /** The kinds of command that it takes, the steps that these can take, and how each is checked. */
  readonly commandKinds: readonly string[];
  readonly steps: readonly Step[];
  readonly schema: z.ZodType<Input>;
  readonly place: (input: Input, at: number) => Result<Placement<Body>>;
  /** What speaks against a step of a command, beyond the life that all commands have. */
  readonly objections: (
    record: ChartRecord<Body>,
    step: { readonly step: Step; readonly index: number },
  ) => readonly Fault[];
};

/** What has become of a command: its record, its place in it, and the resource, where there is one to be read. */
export type Kept<Body> = {
  readonly record: ChartRecord<Body>;
  readonly index: number;
  readonly resource: ResourceVersion | null;
};

export type ChartRecords<Input, Body> = {
  readonly read: (id: string) => Result<ChartRecord<Body>>;
  readonly stage: (input: Input) => Result<Kept<Body>>;
  /** Stages and commits at once. */
  readonly record: (input: Input, by: string | null) => Result<Kept<Body>>;
  readonly step: (
    command: CommandRef,
    step: {
      readonly step: Step;
      readonly by: string | null;
      /** What is demanded of the record, whether it is there or not, before the step is taken. */
      readonly demand?: (loaded: Loaded<ChartRecord<Body>>) => E.Either<ClinicalError, unknown>;
    },
  ) => Result<Kept<Body>>;
};

export const createChartRecords = <Input, Body>(
  { store, now }: Environment,
  { kind, place, objections }: ChartDefinition<Input, Body>,
): ChartRecords<Input, Body> => {
  const taken = (
    record: ChartRecord<Body>,
    step: { readonly index: number; readonly step: Step; readonly act: Act },
  ): E.Either<ClinicalError, ChartRecord<Body>> => {
    const next = afterStep(record, step);
    if (E.isLeft(next)) return E.left(ruleViolation(next.left));
    const faults = objections(record, step);
    return faults.length === 0 ? next : E.left(ruleViolation(faults));
  };

  const decision = (
    loaded: Loaded<ChartRecord<Body>>,
    next: ChartRecord<Body>,
    { index, act, alongside = [] }: { index: number; act: Act; alongside?: readonly Change[] },
  ): Decision<Kept<Body>> => {
    if (loaded.stored !== null && next === loaded.state) {
      return { changes: [], answer: { record: next, index, resource: versionIn(loaded.stored) } };
    }
    const change = changeTo(kind, loaded, next, act);
    const version = (loaded.stored?.version ?? 0) + 1;
    return {
      changes: [change, ...alongside],
      answer: { record: next, index, resource: versionIn({ ...change, version }) },
    };
  };

  /** Stages a command, and takes a first step with it there and then if one is given. */
  const enter = (input: Input, by: string | null, step: Step | null) =>
    transact(store)(async () => {
      const at = now();
      const placed = await place(input, at)();
      if (E.isLeft(placed)) return placed;
      const { record: loaded, patientId, body, alongside } = placed.right;
      const act = actOn(loaded, { at, by });
      const before = loaded.state ?? { id: loaded.id, patientId, commands: [] };
      const index = before.commands.length;
      const staged = { ...before, commands: [...before.commands, { body, stagedAt: act.at }] };
      const next = step === null ? E.right(staged) : taken(staged, { index, step, act });
      return E.isLeft(next) ? next : E.right(decision(loaded, next.right, { index, act, alongside }));
    });

  return {
    read: (id) =>
      pipe(
        load(store, kind, id),
        TE.filterOrElse(isPresent, () => notFound(kind.type, id)),
        TE.map(({ state }) => state),
      ),
    stage: (input) => enter(input, null, null),
    record: (input, by) => enter(input, by, 'commit'),
    step: (command, { step, by, demand = () => E.right(null) }) =>
      transact(store)(async () => {
        const { id, index } = command;
        const found = await load(store, kind, id)();
        if (E.isLeft(found)) return found;
        const loaded = found.right;
        const demanded = demand(loaded);
        if (E.isLeft(demanded)) return demanded;
        if (!isPresent(loaded) || index >= loaded.state.commands.length)
          return E.left(notFound('Command', commandId(command)));
        const act = actOn(loaded, { at: now(), by });
        const next = taken(loaded.state, { index, step, act });
        return E.isLeft(next) ? next : E.right(decision(loaded, next.right, { index, act }));
      }),
  };
};
