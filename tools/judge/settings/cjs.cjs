// Lambda looks for index.cjs, too (https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html). `require` does
// not, unless it knows the extension.
const { _extensions } = require('node:module');

_extensions['.cjs'] ??= _extensions['.js'];
