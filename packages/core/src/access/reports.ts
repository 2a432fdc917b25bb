import type { AccessInteraction, Returned } from './access-event.ts';

/** The access of a call, by its arguments. */
export type ReportedCall<Answer = unknown> = {
  readonly interaction: AccessInteraction;
  /** The type of resource; null if the function is not about one. */
  readonly type: string | null;
  readonly id?: string;
  /** The parameters of a search. */
  readonly parameters?: unknown;
  /** The argument that names the user. A read calls its `onReturn`. */
  readonly user: { readonly by?: unknown } | undefined;
  /** The content that a write has written. */
  readonly written?: (answer: Answer) => Returned;
};

/** Whether one of the arguments has a `by`. Each is looked at by itself: a body of an unknown type would hide all others. */
type NamesUser<Sent extends readonly unknown[]> = true extends {
  [At in keyof Sent]: 'by' extends keyof NonNullable<Sent[At]> ? true : false;
}[number]
  ? true
  : false;

type IsReported<Part> = Part extends (...sent: infer Sent) => unknown
  ? NamesUser<Sent>
  : Part extends readonly unknown[]
    ? false
    : keyof Reports<Part> extends never
      ? false
      : true;

type ReportOf<Run> = Run extends (...sent: infer Sent) => infer Answer
  ? (...sent: Sent) => ReportedCall<Awaited<Answer>>
  : Reports<Run>;

/**
 * The reports of a service: one for each function that can name a user, so that none is forgotten. The parts of a service
 * are services, too.
 */
export type Reports<Service> = {
  readonly [Name in keyof Service as IsReported<Service[Name]> extends true ? Name : never]: ReportOf<
    Service[Name]
  >;
};
