import { doseUnits, type GivenDose, routes, sites } from '../../model/immunization/given-dose.ts';
import { SelectField, TextField } from '../forms/field.tsx';

/** How a dose was given in this clinic: its lot, the site, the route and the amount. */
export const GivenFields = ({
  dose: { lotNumber, site, route, amount, unit },
  errorsOf,
  onInput,
}: {
  readonly dose: GivenDose;
  readonly errorsOf: (field: keyof GivenDose) => readonly string[] | undefined;
  readonly onInput: (changed: Partial<GivenDose>) => void;
}) => (
  <>
    <TextField
      id="lot"
      label="Lot number"
      value={lotNumber}
      sentences={errorsOf('lotNumber')}
      onInput={(typed) => onInput({ lotNumber: typed })}
    />
    <SelectField
      id="site"
      label="Site"
      none="Not recorded"
      options={sites}
      value={site}
      sentences={errorsOf('site')}
      onChange={(code) => onInput({ site: code })}
    />
    <SelectField
      id="route"
      label="Route"
      none="Not recorded"
      options={routes}
      value={route}
      sentences={errorsOf('route')}
      onChange={(code) => onInput({ route: code })}
    />
    <TextField
      id="amount"
      label="Dose"
      value={amount}
      sentences={errorsOf('amount')}
      onInput={(typed) => onInput({ amount: typed })}
    />
    <SelectField
      id="unit"
      label="Unit of the dose"
      options={doseUnits}
      value={unit}
      sentences={errorsOf('unit')}
      onChange={(code) => onInput({ unit: code })}
    />
  </>
);
