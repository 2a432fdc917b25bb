import type { FieldRemark } from '../../model/outcome.ts';
import { FormNotice } from './form-notice.tsx';
import type { Submit } from './use-submit.ts';

/** The sentences at a field, for `aria-describedby`. */
export const FieldNote = ({
  id,
  remark,
}: {
  readonly id: string;
  readonly remark: FieldRemark | undefined;
}) =>
  remark === undefined ? null : (
    <p id={id} class={remark.isDoubt ? 'field-doubt' : 'field-error'}>
      {remark.sentences.join(' ')}
    </p>
  );

/** The attributes of a control that say what is wrong with it, or to be looked at again. */
export const describedBy = (id: string, remark: FieldRemark | undefined) =>
  remark === undefined
    ? {}
    : { 'aria-describedby': id, ...(!remark.isDoubt && { 'aria-invalid': 'true' as const }) };

/** The refusals that name no field. */
export const GeneralErrors = ({ sentences }: { readonly sentences: readonly string[] }) =>
  sentences.length === 0 ? null : (
    <FormNotice>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </FormNotice>
  );

/** What a form knows of a field: its text, the sentences at it, and what a change of the text does. */
export type Field = {
  readonly value: string;
  readonly remark: FieldRemark | undefined;
  readonly onInput: (value: string) => void;
};

/** Creates the function that finds the fields of a form by their names. */
export const createFields =
  <Values extends Readonly<Record<string, string>>>(
    values: Values,
    { errors, doubts }: Pick<Submit, 'errors' | 'doubts'>,
    onInput: (changed: Partial<Values>) => void,
  ) =>
  (name: keyof Values & string): Field => ({
    value: values[name] ?? '',
    remark: errors.byField.get(name) ?? doubts.byField.get(name),
    onInput: (value) => onInput({ [name]: value } as Partial<Values>),
  });

/** A line of text with its label, and with the sentences at it. */
export const TextField = ({
  id,
  label,
  value,
  remark,
  onInput,
  ...attributes
}: {
  readonly id: string;
  readonly label: string;
  readonly dir?: 'auto';
} & Field) => (
  <div class="field">
    <label for={id}>{label}</label>
    <input
      id={id}
      autocomplete="off"
      value={value}
      {...attributes}
      {...describedBy(`${id}-error`, remark)}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
    <FieldNote id={`${id}-error`} remark={remark} />
  </div>
);

/** A choice among codes with its label, and with the sentences at it. */
export const SelectField = ({
  id,
  label,
  none,
  options,
  value,
  remark,
  onInput,
}: {
  readonly id: string;
  readonly label: string;
  /** The text for no choice. Without it, one of the codes is always chosen. */
  readonly none?: string;
  /** The names of the codes. */
  readonly options: Readonly<Record<string, string>>;
} & Field) => (
  <div class="field">
    <label for={id}>{label}</label>
    <select
      id={id}
      value={value}
      {...describedBy(`${id}-error`, remark)}
      onChange={(event) => onInput(event.currentTarget.value)}
    >
      {none !== undefined && <option value="">{none}</option>}
      {Object.entries(options).map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
    <FieldNote id={`${id}-error`} remark={remark} />
  </div>
);
