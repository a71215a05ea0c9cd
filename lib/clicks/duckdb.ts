import { RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { Architecture, Code, LayerVersion, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { BundleOf } from '../bundles.ts';

/** Adds the layer with DuckDB to a stack. */
export const addDuckDb = (stack: Stack, bundleOf: BundleOf): LayerVersion =>
  new LayerVersion(stack, 'duckdb', {
    code: Code.fromAsset(bundleOf('duckdb')),
    description: 'DuckDB',
    compatibleArchitectures: [Architecture.ARM_64],
    compatibleRuntimes: [Runtime.NODEJS_24_X],
    removalPolicy: RemovalPolicy.DESTROY,
  });
