import type { FieldErrors } from '../../model/outcome.ts';
import { FormNotice } from './form-notice.tsx';

/** The sentences of the rules that a field breaks, for `aria-describedby`. */
export const FieldError = ({
  id,
  sentences = [],
}: {
  readonly id: string;
  readonly sentences: readonly string[] | undefined;
}) =>
  sentences.length === 0 ? null : (
    <p id={id} class="field-error">
      {sentences.join(' ')}
    </p>
  );

/** The attributes of a control that say what is wrong with it. */
export const describedBy = (id: string, sentences: readonly string[] | undefined) =>
  sentences === undefined || sentences.length === 0
    ? {}
    : { 'aria-invalid': 'true' as const, 'aria-describedby': id };

/** The refusals that name no field. */
export const GeneralErrors = ({ sentences }: { readonly sentences: readonly string[] }) =>
  sentences.length === 0 ? null : (
    <FormNotice>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </FormNotice>
  );

/** What a form knows of a field: its text, the sentences of the rules that it breaks, and what a change of the text does. */
export type Field = {
  readonly value: string;
  readonly sentences: readonly string[] | undefined;
  readonly onInput: (value: string) => void;
};

/** Creates the function that finds the fields of a form by their names. */
export const createFields =
  <Values extends Readonly<Record<string, string>>>(
    values: Values,
    { byField }: FieldErrors,
    onInput: (changed: Partial<Values>) => void,
  ) =>
  (name: keyof Values & string): Field => ({
    value: values[name] ?? '',
    sentences: byField.get(name),
    onInput: (value) => onInput({ [name]: value } as Partial<Values>),
  });

/** A line of text with its label, and with the sentences of the rules that it breaks. */
export const TextField = ({
  id,
  label,
  value,
  sentences,
  onInput,
  ...attributes
}: {
  readonly id: string;
  readonly label: string;
  readonly dir?: 'auto';
} & Field) => (
  <>
    <label for={id}>{label}</label>
    <input
      id={id}
      autocomplete="off"
      value={value}
      {...attributes}
      {...describedBy(`${id}-error`, sentences)}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
    <FieldError id={`${id}-error`} sentences={sentences} />
  </>
);

/** A choice among codes with its label, and with the sentences of the rules that it breaks. */
export const SelectField = ({
  id,
  label,
  none,
  options,
  value,
  sentences,
  onInput,
}: {
  readonly id: string;
  readonly label: string;
  /** The text for no choice. Without it, one of the codes is always chosen. */
  readonly none?: string;
  /** The names of the codes. */
  readonly options: Readonly<Record<string, string>>;
} & Field) => (
  <>
    <label for={id}>{label}</label>
    <select
      id={id}
      value={value}
      {...describedBy(`${id}-error`, sentences)}
      onChange={(event) => onInput(event.currentTarget.value)}
    >
      {none !== undefined && <option value="">{none}</option>}
      {Object.entries(options).map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
    <FieldError id={`${id}-error`} sentences={sentences} />
  </>
);
