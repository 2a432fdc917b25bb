import { describeChart } from './chart.ts';

for (const line of await describeChart()) console.log(line);
