// A teammate whose program sends a request to its lead, for the tests.
//
//   claude_asker.js BASE TEAM AGENT plan|permission|host ID [INPUT]
//
// It writes the request to the lead's inbox with the genuine lock, like such a program. INPUT is
// the JSON input of a permission; it is passed on byte by byte. Prints the written text, as one
// JSON line.
'use strict';
const { Inbox } = require('./claude_peer.js');

const now = () => new Date().toISOString();
const HOLE = '"the input goes here"';

const REQUESTS = {
  plan: (id, agent) => JSON.stringify({ type: 'plan_approval_request', from: agent,
    timestamp: now(), planFilePath: '/nowhere/plan.md', planContent: '# Plan\n\n1. Do it\n',
    requestId: id }),
  permission: (id, agent, team, input) => JSON.stringify({ type: 'permission_request',
    request_id: id, agent_id: agent, tool_name: 'Bash', tool_use_id: 'toolu_1',
    description: 'Run it', input: JSON.parse(HOLE),
    permission_suggestions: [{ type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'ls:*' }],
      behavior: 'allow', destination: 'session' }] }).replace(HOLE, () => input),
  host: (id, agent, team) => JSON.stringify({ type: 'sandbox_permission_request', requestId: id,
    workerId: `${agent}@${team}`, workerName: agent, workerColor: 'blue',
    hostPattern: { host: 'example.org' }, createdAt: Date.now() }),
};

async function main() {
  const [base, team, agent, kind, id, input = '{"command":"ls"}'] = process.argv.slice(2);
  const text = REQUESTS[kind](id, agent, team, input);
  const inbox = new Inbox(base, team, 'team-lead', { retries: 30, lock: true });
  const reason = await inbox.append({ from: agent, text, timestamp: now(), color: 'blue',
    read: false });
  if (reason) throw new Error(reason);
  process.stdout.write(JSON.stringify({ text }) + '\n');
}

main();
