import { createHash } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';

/** Why somebody is not signed in, in words for them. None reveals whether somebody exists. */
const outcomes = {
  expired: { status: 400, text: 'This sign-in took too long, or it was started in another browser. Try again.' },
  cancelled: { status: 403, text: 'You were not signed in. You can try again.' },
  refused: { status: 403, text: 'The sign-in could not be confirmed. Try again. If it fails again, tell the operator.' },
  embedded: { status: 403, text: 'Open this address in a tab of its own.' },
  noAddress: {
    status: 403,
    text: 'The provider gave us no email address for your account. Sign in with another account, or ask the operator.',
  },
  busy: { status: 429, text: 'Too many people are signing in from your network. Try again in a minute.' },
  unavailable: { status: 503, text: 'Signing in does not work at the moment. Try again in a minute.' },
  failed: { status: 500, text: 'Something went wrong on our side. Try again. If it fails again, tell the operator.' },
} as const;

export type Outcome = keyof typeof outcomes;

/** The colours of the console (clients/console/looks/tokens.css), and nothing to load. */
const style =
  ':root{color-scheme:light dark}body{font:14px/20px system-ui,sans-serif;max-width:24rem;margin:15vh auto 0;padding:0 16px;' +
  'color:light-dark(#1a2027,#e7eaee);background:light-dark(#fff,#14181d)}h1{font-size:22px;line-height:28px}' +
  'a{display:inline-block;padding:10px 16px;border-radius:6px;text-decoration:none;color:#fff;' +
  'background:light-dark(#0b6b70,#127a7c)}small{color:light-dark(#556070,#a4adb9)}';

const policy =
  `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/**
 * The page for somebody who could not be signed in, with a way back to the console.
 *
 * @param root the path of the service before `/console`.
 * @param requestId with which the operator finds the reason in the log.
 */
export function outcomePage(
  outcome: Outcome,
  root: string,
  requestId: string,
  cookies: readonly string[] = [],
): APIGatewayProxyResult {
  const { status, text } = outcomes[outcome];
  const shown = requestId.replace(/[^\w=+/.-]/g, '');
  return {
    statusCode: status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
      ...(outcome === 'busy' && { 'Retry-After': '60' }),
    },
    // AWS does not say what happens to a header without a value.
    ...(cookies.length > 0 && { multiValueHeaders: { 'Set-Cookie': [...cookies] } }),
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in · Links</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<h1>Not signed in</h1>
<p>${text}</p>
<p><a href="${root}/console">Back to the console</a></p>
<p><small>Request ${shown}</small></p>
</body>
</html>
`,
  };
}
