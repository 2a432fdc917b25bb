import type { Outcome } from '../errors.ts';
import type { BundleUrls } from '../fhir/bundle.ts';
import type { ResourceLabels } from '../fhir/common-elements.ts';
import type { PreferredHandling } from '../fhir/parse-body.ts';
import type { AuthorReference } from '../fhir/reference.ts';
import { anything, callback, copyOf, type Form, listOf, type OptionForms, oneOf, text } from '../forms.ts';
import { type SearchPairs, searchPairs } from '../search/search-input.ts';
import { type AccessHooks, type AccessOptions, accessForms } from './access.ts';
import { type WarningOptions, warningForms } from './warnings.ts';

/** Limits an operation to the charts of some patients. */
export type ChartLimit = {
  /**
   * The id of one patient, or the ids of several. If it is left out, there is no limit. An empty list reaches no chart. If it is
   * undefined, or an id is not valid, every request is refused.
   */
  readonly within?: string | readonly string[];
  /**
   * Limits it to the resources that one of these searches finds, too, such as `[[['category', '108252007']]]`. Without one, it reaches
   * nothing. The searches have no modifiers, and differ in one parameter only. Functions that know only charts refuse this limit.
   */
  readonly matching?: readonly SearchPairs[];
  /** Is asked once it is known which charts an operation is about. */
  readonly authorize?: AuthorizeCharts | undefined;
};

/** The resource and the charts that an operation is about. */
export type ReachedCharts = {
  /** The id of the resource; null for a search, or for a resource that is to be created. */
  readonly id: string | null;
  /** The patients to whose charts it belongs, or whom a search names. Empty if a search names none: it is about all charts. */
  readonly patientIds: readonly string[];
  /** The security labels and tags of the resource: as it is now, or as a create sends it. Empty for a search. */
  readonly labels: ResourceLabels;
};

/**
 * Returns the charts that the caller may reach. A resource in another chart is reported as not found, and a search does not find
 * it. A write to another chart is refused. If it rejects, so does the operation, and nothing was written. Anything else than `{}` or
 * a valid `within` is a `Misuse`, and more than 10 seconds are a `StoreFailure`.
 */
export type AuthorizeCharts = (reached: ReachedCharts) => Promise<Pick<ChartLimit, 'within'>>;

/** The options of reads and searches. */
export type ReadOptions = ChartLimit &
  AccessOptions &
  BundleUrls & {
    /** A search refuses unknown parameters unless this is lenient and another condition is left. */
    readonly handling?: PreferredHandling | undefined;
    /**
     * The chart limit under which the caller may read resources of another type that the result shows or is about; null if it
     * may not. Default: the limit of this read or search.
     */
    readonly reach?: ((type: string) => ChartLimit | null) | undefined;
    /**
     * Reads a resource to which a match refers as JSON text, if a search includes it; null if its type is not served. A search in
     * the directory shows its matches by it, too. Default: what the directory knows.
     */
    readonly readReferenced?:
      | ((type: string, id: string, limit: ChartLimit) => Outcome<string | null>)
      | undefined;
  };

/** The searches of a limit to resources. */
export const matchingForm: Form = listOf(searchPairs);

export const limitForms: OptionForms<ChartLimit> = {
  // Every other one reaches no chart.
  within: { ...anything, read: copyOf },
  matching: matchingForm,
  authorize: callback,
};

/** The options of a function that shows or writes one resource. */
export const viewForms: OptionForms<ChartLimit & AccessOptions> = { ...limitForms, ...accessForms };

const handling = oneOf('strict', 'lenient');

/** The options of an iteration, which makes no bundle. */
export const iterationForms: OptionForms<Omit<ReadOptions, keyof BundleUrls>> = {
  ...viewForms,
  handling,
  reach: callback,
  readReferenced: callback,
};

export const readForms: OptionForms<ReadOptions> = {
  ...iterationForms,
  base: text,
  baseUrl: text,
  links: oneOf('relative', 'absolute'),
};

/** The limit under which a caller may read resources of another type; null if it may not. */
export type LimitByType = NonNullable<ReadOptions['reach']>;

/** The options of every function that writes a resource. */
export type WriteOptions = ChartLimit &
  AccessHooks &
  WarningOptions & {
    /** A reference to the author of the change, for the history, such as `Practitioner/12`. */
    readonly by?: AuthorReference | undefined;
    /** A write drops elements that it does not store unless this is strict. */
    readonly handling?: PreferredHandling | undefined;
  };

export const writeForms: OptionForms<WriteOptions> = { ...viewForms, ...warningForms, handling };
