// Plain JavaScript, so that an older Node can read it too and the message is one line.
const needed = 24;
if (Number(process.versions.node.split('.')[0]) < needed) {
  console.error(`Node ${needed} or newer is needed, this is ${process.version}: https://nodejs.org`);
  process.exit(1);
}
