// The messages that a teammate's program accepts from its lead, member by member, written by hand:
// keys, their order, and types. Nothing else may be there.
'use strict';

const MODES = ['default', 'acceptEdits', 'bypassPermissions', 'plan', 'dontAsk', 'auto', 'delegate'];
const BEHAVIORS = ['allow', 'deny', 'ask'];

const text = (value) => typeof value === 'string';
const filled = (value) => text(value) && value.length > 0;
const flag = (value) => typeof value === 'boolean';
const object = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const list = (value) => Array.isArray(value);
const time = (value) => text(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)
  && new Date(value).toISOString() === value;
const only = (...words) => (value) => words.includes(value);
const members = (fields) => (value) => object(value) && problemsOf(value, fields).length === 0;
const each = (test) => (value) => list(value) && value.length > 0 && value.every(test);
const maybe = (test) => Object.assign((value) => test(value), { optional: true });

const RULE = { toolName: filled, ruleContent: maybe(filled) };

const KINDS = {
  shutdown_request: { requestId: filled, from: only('team-lead'), reason: maybe(filled),
    timestamp: time },
  mode_set_request: { mode: only(...MODES), from: only('team-lead') },
  task_assignment: { taskId: filled, subject: text, description: text,
    assignedBy: only('team-lead'), timestamp: time },
  team_permission_update: {
    permissionUpdate: members({ type: only('addRules'), rules: each(members(RULE)),
      behavior: only(...BEHAVIORS), destination: only('session') }),
    directoryPath: filled, toolName: filled },
  plan_approval_response: { requestId: filled, approved: flag, feedback: maybe(filled),
    timestamp: time, permissionMode: maybe(only(...MODES)) },
  permission_response: { request_id: filled, subtype: only('success', 'error'),
    response: maybe(members({ updated_input: object, permission_updates: list })),
    error: maybe(filled) },
  sandbox_permission_response: { requestId: filled, host: filled, allow: flag, timestamp: time },
};

// For each type: the optional member that must be there, and the one that must not.
const TOGETHER = {
  plan_approval_response: (message) => (message.approved
    ? ['permissionMode', 'feedback'] : ['feedback', 'permissionMode']),
  permission_response: (message) => (message.subtype === 'success'
    ? ['response', 'error'] : ['error', 'response']),
};

const ENVELOPE = { from: only('team-lead'), text: filled, timestamp: time, read: flag };

// Returns the problems of an object: keys that are missing, unknown, of another type or out of
// order.
function problemsOf(value, fields) {
  const problems = [];
  const known = Object.keys(fields);
  const there = Object.keys(value);
  for (const key of known) {
    if (!there.includes(key)) {
      if (!fields[key].optional) problems.push(`${key} is missing`);
    } else if (!fields[key](value[key])) problems.push(`${key} is ${JSON.stringify(value[key])}`);
  }
  for (const key of there) if (!known.includes(key)) problems.push(`${key} is not known`);
  const order = known.filter((key) => there.includes(key));
  if (problems.length === 0 && order.join() !== there.join()) problems.push(`order: ${there}`);
  return problems;
}

// Returns the problems of an entry of an inbox, and the message in it.
function check(entry) {
  const problems = problemsOf(entry, ENVELOPE);
  let message;
  try {
    message = JSON.parse(entry.text);
  } catch (error) {
    return { message: null, problems: [...problems, 'the text is no JSON'] };
  }
  if (!object(message) || !Object.hasOwn(KINDS, message.type)) {
    return { message, problems: [...problems, 'the type is not known'] };
  }
  if (JSON.stringify(message) !== entry.text) problems.push('not as stringify writes it');
  problems.push(...problemsOf(message, { type: text, ...KINDS[message.type] }));
  if (Object.hasOwn(TOGETHER, message.type)) {
    const [wanted, unwanted] = TOGETHER[message.type](message);
    if (!Object.hasOwn(message, wanted)) problems.push(`${wanted} is missing`);
    if (Object.hasOwn(message, unwanted)) problems.push(`${unwanted} has no place there`);
  }
  return { message, problems };
}

module.exports = { check };
