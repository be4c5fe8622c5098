// The other side of the team mailboxes with one JSON array per recipient, for the tests.
//
// It keeps that program's habits: it makes the inbox exclusively as "[]", locks it with the genuine
// proper-lockfile (few retries, the default handler for a lost lock, which kills), reads it again
// under the lock, and writes in place. An inbox that cannot be parsed counts as empty. Clearing
// overwrites the first two bytes and leaves the rest.
//
//   claude_peer.js [OPTION]... BASE TEAM AGENT COMMAND
//     append COUNT        appends until that many are acknowledged; 0: until standard input ends
//     read | unread       prints all entries, or the unread ones
//     mark                marks all as read           mark-index N   marks one, by its index
//     clear               as described above
//     poll MS             delivers unread entries and marks all, until standard input ends
//     remove MS           like poll, but removes delivered entries, as newer programs do
//     empty MS            like poll, but leaves an empty array
//     hold                takes the lock, reports it, and releases it when standard input ends
//     canonical           reports if the file has the bytes of JSON.stringify
//   Options: --from NAME, --color NAME, --newer (its envelope and retries), --no-lock,
//            --pause MS (between two messages)
//
// Every result is one JSON line. Exit status: 0, or 70 when the lock was lost, 71 for any other
// uncaught error: either ends such a program.
'use strict';
const crypto = require('crypto');
const fs = require('fs/promises');
const path = require('path');
const lockfile = require('proper-lockfile');

const PATIENCE = { classic: 10, newer: 30 };
const LOST_LOCK = 70;
const UNCAUGHT = 71;

const say = (result) => process.stdout.write(JSON.stringify(result) + '\n');
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const safeName = (name) => name.replace(/[^a-zA-Z0-9_-]/g, '-');
const print = (list) => JSON.stringify(list, null, 2);

process.on('uncaughtException', (error) => {
  say({ died: error.code || error.name, reason: error.message });
  process.exit(error.code === 'ECOMPROMISED' ? LOST_LOCK : UNCAUGHT);
});

class Inbox {
  constructor(base, team, agent, options) {
    this.directory = path.join(base, 'teams', safeName(team), 'inboxes');
    this.file = path.join(this.directory, safeName(agent) + '.json');
    this.options = options;
  }

  async make() {
    await fs.mkdir(this.directory, { recursive: true });
    try {
      await fs.writeFile(this.file, '[]', { encoding: 'utf-8', flag: 'wx' });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }

  async load() {
    try {
      return JSON.parse(await fs.readFile(this.file, 'utf-8'));
    } catch (error) {
      return [];
    }
  }

  async save(list) {
    await fs.writeFile(this.file, print(list), 'utf-8');
  }

  async lock() {
    if (!this.options.lock) return async () => {};
    return lockfile.lock(this.file, {
      lockfilePath: this.file + '.lock',
      retries: { retries: this.options.retries, minTimeout: 5, maxTimeout: 100 },
      ...this.options.library,
    });
  }

  // Returns null if it was done, else the reason why not: such a program logs it and continues.
  async underLock(work) {
    let release = null;
    try {
      release = await this.lock();
      await work(await this.load());
      return null;
    } catch (error) {
      return error.code || error.message;
    } finally {
      if (release) await release();
    }
  }

  async append(entry) {
    await this.make();
    return this.underLock(async (list) => {
      list.push(entry);
      await this.save(list);
    });
  }

  async unread() {
    return (await this.load()).filter((entry) => !entry.read);
  }

  markAll() {
    return this.underLock(async (list) => {
      if (list.length === 0) return;
      for (const entry of list) entry.read = true;
      await this.save(list);
    });
  }

  markIndex(index) {
    return this.underLock(async (list) => {
      if (!list[index] || list[index].read) return;
      list[index] = { ...list[index], read: true };
      await this.save(list);
    });
  }

  // Removes the entries that were read without the lock; keeps those that came since.
  removeRead(read) {
    const taken = new Set(read.map(print));
    return this.underLock(async (list) => {
      await this.save(list.filter((entry) => !taken.has(print(entry))));
    });
  }

  // Delivers and empties under one lock.
  async takeAll() {
    const taken = [];
    const reason = await this.underLock(async (list) => {
      taken.push(...list);
      if (list.length > 0) await this.save([]);
    });
    return reason ? [] : taken;
  }

  clear() {
    return fs.writeFile(this.file, '[]', { encoding: 'utf-8', flag: 'r+' });
  }
}

function makeEntry(number, options) {
  const entry = {
    from: options.from,
    text: `${options.from} says ${number}`,
    summary: `number ${number}`,
    timestamp: new Date().toISOString(),
  };
  if (options.color) entry.color = options.color;
  const envelope = { msgV: 1, msg_id: crypto.randomUUID(), type: 'message' };
  if (options.newer) Object.assign(entry, envelope);
  entry.read = false;
  return entry;
}

function inputEnds() {
  const state = { ended: false };
  state.wait = new Promise((done) => {
    process.stdin.on('end', () => { state.ended = true; done(); });
    process.stdin.resume();
  });
  return state;
}

async function appendMany(inbox, count) {
  const input = count === 0 ? inputEnds() : { ended: false };
  let acknowledged = 0;
  for (let number = 1; count === 0 ? !input.ended : acknowledged < count; number++) {
    const entry = makeEntry(number, inbox.options);
    const reason = await inbox.append(entry);
    if (!reason) acknowledged++;
    say(reason ? { text: entry.text, dropped: reason } : { text: entry.text, acknowledged: true });
    if (inbox.options.pause) await pause(inbox.options.pause);
  }
}

async function untilInputEnds(every, work) {
  const input = inputEnds();
  for (let last = false; !last;) {
    last = input.ended;
    await work();
    await Promise.race([pause(every), input.ended ? null : input.wait]);
  }
}

function poll(inbox, every) {
  return untilInputEnds(every, async () => {
    const unread = await inbox.unread();
    if (unread.length === 0) return;
    const reason = await inbox.markAll();
    say({ delivered: unread.map((entry) => entry.text), notMarked: reason });
  });
}

// Delivers entries only once they are removed; tries again if that failed.
function remove(inbox, every) {
  return untilInputEnds(every, async () => {
    const unread = await inbox.unread();
    if (unread.length > 0 && !(await inbox.removeRead(unread)))
      say({ delivered: unread.map((entry) => entry.text) });
  });
}

function empty(inbox, every) {
  return untilInputEnds(every, async () => {
    const taken = await inbox.takeAll();
    if (taken.length > 0) say({ delivered: taken.map((entry) => entry.text) });
  });
}

async function hold(inbox) {
  await inbox.make();
  const input = inputEnds();
  const release = await inbox.lock();
  say({ held: true });
  await input.wait;
  await release();
  say({ held: false });
}

const COMMANDS = {
  append: (inbox, count) => appendMany(inbox, Number(count)),
  read: async (inbox) => say(await inbox.load()),
  unread: async (inbox) => say(await inbox.unread()),
  mark: async (inbox) => say({ notDone: await inbox.markAll() }),
  'mark-index': async (inbox, index) => say({ notDone: await inbox.markIndex(Number(index)) }),
  clear: async (inbox) => { await inbox.clear(); say({ notDone: null }); },
  poll: (inbox, every) => poll(inbox, Number(every)),
  remove: (inbox, every) => remove(inbox, Number(every)),
  empty: (inbox, every) => empty(inbox, Number(every)),
  hold,
  canonical: async (inbox) => {
    const bytes = await fs.readFile(inbox.file);
    say({ canonical: Buffer.from(print(JSON.parse(bytes.toString('utf-8')))).equals(bytes) });
  },
};

function parse(words) {
  const options = { from: 'node', retries: PATIENCE.classic, lock: true, newer: false, pause: 0 };
  const rest = [];
  while (words.length > 0) {
    const word = words.shift();
    if (word === '--from') options.from = words.shift();
    else if (word === '--color') options.color = words.shift();
    else if (word === '--pause') options.pause = Number(words.shift());
    else if (word === '--no-lock') options.lock = false;
    else if (word === '--newer') Object.assign(options, { newer: true, retries: PATIENCE.newer });
    else rest.push(word);
  }
  return { options, rest };
}

async function main() {
  const { options, rest } = parse(process.argv.slice(2));
  const [base, team, agent, command, ...operands] = rest;
  if (!COMMANDS[command]) {
    process.stderr.write('usage: claude_peer.js [OPTION]... BASE TEAM AGENT COMMAND\n');
    process.exit(2);
  }
  await COMMANDS[command](new Inbox(base, team, agent, options), ...operands);
  process.stdin.destroy();
}

module.exports = { Inbox, inputEnds };

if (require.main === module) main();
