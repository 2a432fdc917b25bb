import packageJson from '../../package.json' with { type: 'json' };

/** The name and the version of what records here. */
export const scope = [packageJson.name, packageJson.version] as const;

/** The bounds of a histogram of seconds. Source: OpenTelemetry, "Semantic conventions for HTTP metrics". */
export const secondsHistogram = {
  unit: 's',
  advice: {
    explicitBucketBoundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
};

export const secondsSince = (began: number): number => (performance.now() - began) / 1000;
