// A program like those of agents that a test controls step by step: it appends one message for each
// line "append TEXT", with the genuine lock library, and stops where other programs can interfere:
//
//   {"judged": "stale"}     before it removes a lock that it has judged to be abandoned
//   {"removed": CODE}       the result of that: null, or the error
//   {"loaded": COUNT}       under the lock, before it writes the inbox that it has read
//   {"acknowledged": TEXT}  it is written; or {"dropped": CODE}
//
// After the first and the third it waits for a line "go".
//
//   claude_late.js BASE TEAM AGENT    until standard input ends
'use strict';
const fs = require('fs');
const readline = require('readline');
const { Inbox } = require('./claude_peer.js');

const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (result) => process.stdout.write(JSON.stringify(result) + '\n');
const go = () => lines.next();

class LateInbox extends Inbox {
  constructor(base, team, agent) {
    // The library removes directories to take over an abandoned lock, and to release its own.
    const rmdir = (path, done) => (this.held ? fs.rmdir(path, done) : this.removeLate(path, done));
    const library = { fs: { ...fs, rmdir } };
    super(base, team, agent, { from: 'late', lock: true, retries: 2000, library });
    this.held = false;
  }

  async removeLate(path, done) {
    say({ judged: 'stale' });
    await go();
    fs.rmdir(path, (error) => {
      say({ removed: error ? error.code : null });
      done(error);
    });
  }

  async lock() {
    const release = await super.lock();
    this.held = true;
    return async () => {
      await release();
      this.held = false;
    };
  }

  async save(list) {
    say({ loaded: list.length - 1 });
    await go();
    await super.save(list);
  }
}

async function main() {
  const inbox = new LateInbox(...process.argv.slice(2));
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const text = line.value.replace('append ', '');
    const reason = await inbox.append({
      from: 'late', text, summary: 'late', timestamp: new Date().toISOString(), read: false });
    say(reason ? { dropped: reason } : { acknowledged: text });
  }
}

main();
