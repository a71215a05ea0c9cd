/**
 * A request failed because of a defect in the service. A separate constant keeps the others out of endpoints' bundles.
 */
export const unexpectedError = 'unexpected error';

/**
 * The messages of log lines that raise an alarm. The stacks' metric filters match exactly these texts.
 */
export const alarming = {
  accessDenied: 'a call was denied',
  clickNotRecorded: 'click not recorded',
  certificateFails: 'a certificate of a domain fails',
  changeUnreadable: 'a change could not be read',
  clickUnreadable: 'a click could not be read',
  clicksNotRead: 'clicks could not be read',
  clicksNotMerged: 'files of clicks could not be merged',
  clicksUncountable: 'clicks could not be counted',
  domainFails: 'a domain fails its check',
  fewDomainNamesLeft: 'few custom domain names are left',
  fewGatewayKeysLeft: 'few gateway keys are left',
  linkReported: 'a link was reported',
  keyNotChecked: 'a key could not be checked',
  receiverBehind: 'webhooks have waited for a day',
  receiverStopped: 'nothing is sent to a webhook any more',
  tailOverdue: 'clicks have waited for days to be sealed',
  senderNotStarted: 'a sender could not be started',
  unexpectedError,
} as const;
