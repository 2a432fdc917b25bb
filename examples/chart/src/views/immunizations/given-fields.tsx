import { doseUnits, type GivenDose, routes, sites } from '../../model/immunization/given-dose.ts';
import { DateField } from '../forms/date-field.tsx';
import { type Field, SelectField, TextField } from '../forms/field.tsx';

/** How a dose was given in this clinic: its lot, the site, the route and the amount. */
export const GivenFields = ({ field }: { readonly field: (name: keyof GivenDose) => Field }) => (
  <>
    <TextField id="lot" label="Lot number" {...field('lotNumber')} />
    <DateField id="expiry" label="Expiry date" placeholder="5/2027 or 14.5.2027" {...field('expiry')} />
    <SelectField id="site" label="Site" none="Not recorded" options={sites} {...field('site')} />
    <SelectField id="route" label="Route" none="Not recorded" options={routes} {...field('route')} />
    <TextField id="amount" label="Dose" {...field('amount')} />
    <SelectField id="unit" label="Unit of the dose" options={doseUnits} {...field('unit')} />
  </>
);
