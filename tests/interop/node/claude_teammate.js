// A teammate whose program obeys lead commands, for the tests: it polls its inbox like such a
// program, checks new entries strictly, marks them, and answers shutdown requests.
//
//   claude_teammate.js [--reject REASON] BASE TEAM AGENT    until standard input ends
//
// Prints every lead command as one JSON line: the message, and its problems.
'use strict';
const { Inbox, inputEnds } = require('./claude_peer.js');
const { check } = require('./claude_strict.js');

const POLL_MS = 20;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

function answerTo(request, agent, reason) {
  const start = { requestId: request.requestId, from: agent };
  const timestamp = new Date().toISOString();
  return reason === null
    ? { type: 'shutdown_approved', ...start, timestamp, paneId: 'in-process', backendType: 'in-process' }
    : { type: 'shutdown_rejected', ...start, reason, timestamp };
}

// Reads and marks under one lock: unlike its model, this one never marks an entry that it has not
// read.
async function takeUnread(inbox) {
  const unread = [];
  if ((await inbox.unread()).length === 0) return unread;
  await inbox.underLock(async (list) => {
    unread.push(...list.filter((entry) => !entry.read));
    await inbox.save(list.map((entry) => ({ ...entry, read: true })));
  });
  return unread;
}

async function take(inbox, place, reason) {
  for (const entry of await takeUnread(inbox)) {
    const { message, problems } = check(entry);
    process.stdout.write(JSON.stringify({ message, problems }) + '\n');
    if (problems.length > 0 || message.type !== 'shutdown_request') continue;
    const text = JSON.stringify(answerTo(message, place.agent, reason));
    await new Inbox(place.base, place.team, entry.from, inbox.options).append({
      from: place.agent, text, timestamp: new Date().toISOString(), color: 'blue', read: false });
  }
}

async function main() {
  const words = process.argv.slice(2);
  const reason = words[0] === '--reject' ? words.splice(0, 2)[1] : null;
  const [base, team, agent] = words;
  const inbox = new Inbox(base, team, agent, { retries: 30, lock: true });
  const input = inputEnds();
  for (let last = false; !last;) {
    last = input.ended;
    await take(inbox, { base, team, agent }, reason);
    await Promise.race([pause(POLL_MS), input.wait]);
  }
  process.stdin.destroy();
}

main();
