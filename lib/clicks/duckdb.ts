import { RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { Architecture, Code, LayerVersion, Runtime } from 'aws-cdk-lib/aws-lambda';

/** Adds the layer with DuckDB. @param folder of the layer */
export const addDuckDb = (stack: Stack, folder: string): LayerVersion =>
  new LayerVersion(stack, 'duckdb', {
    code: Code.fromAsset(folder),
    description: 'DuckDB',
    compatibleArchitectures: [Architecture.ARM_64],
    compatibleRuntimes: [Runtime.NODEJS_24_X],
    removalPolicy: RemovalPolicy.DESTROY,
  });
