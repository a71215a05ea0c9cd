import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';

/** An alarm from its threshold on. The operator adds actions to the alarms, such as a message. */
export const fromThresholdOn = {
  comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  evaluationPeriods: 1,
  treatMissingData: TreatMissingData.NOT_BREACHING,
};
