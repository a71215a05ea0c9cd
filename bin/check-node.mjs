// Plain JavaScript, so that older versions of Node can run it too, and print only the message.

// The first version with Argon2 in `node:crypto`.
const needed = [24, 7];
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  console.error(`Node ${needed.join('.')} or newer is needed, this is ${process.version}: https://nodejs.org`);
  process.exit(1);
}
