import type { HttpRequest } from '../http.ts';
import type { Interaction, Principal } from '../scopes.ts';

/** The question: may this sender do this in these charts? */
export type AuthorizationQuestion = {
  /** The sender, whose scopes allow the interaction. */
  readonly principal: Principal;
  /** The interaction. A resource that a search includes is read. */
  readonly interaction: Interaction;
  /** The type of the resource, such as `Goal`. */
  readonly resourceType: string;
  /** The id of the resource; null for a search, or for a resource that is to be created. */
  readonly id: string | null;
  /**
   * The patients to whose charts the resource belongs, or to whom a search is limited by its parameters and by scopes. Empty if
   * it can be any chart: a search names no patient, or a resource of the host has none.
   */
  readonly patientIds: readonly string[];
  /** The request, for example for the reason to break the glass in a header. */
  readonly request: HttpRequest;
};

/**
 * The answer: everything that was asked for, nothing of it, or only what is in the charts of some patients: the id of one, or
 * the ids of several.
 */
export type Authorization =
  | 'allow'
  | 'deny'
  | {
      /** The id of a patient, or the ids of several. */
      readonly limitTo: string | readonly string[];
    };

/** Decides what scopes cannot say. Source: docs/authorization.md. */
export type Authorize = (question: AuthorizationQuestion) => Promise<Authorization> | Authorization;
