// node server.cjs [FOLDER]: boardgame.io's server, in memory, or with its own file store in the folder.

const { Server, FlatFile } = require('boardgame.io/server');
const { Skyjo } = require('./skyjo.cjs');

const [folder] = process.argv.slice(2);

async function main() {
  const db = folder ? { db: new FlatFile({ dir: folder }) } : {};
  const server = Server({ games: [Skyjo], origins: [], ...db });
  const { appServer } = await server.run({ port: 0 });
  console.log(`port ${appServer.address().port}`);
}

main();
