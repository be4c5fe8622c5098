// The other side of the team mailboxes with one JSON file per message, for the tests.
//
// Files are 0600, directories 0700, written in place with two blanks and a final newline. Two
// generations differ in their use of "read": the design delivers messages where it is exactly false
// and cleans up only read ones; the first code does not have the key.
//
//   openclaw_peer.js TEAMS COMMAND
//     register TEAM LEAD-KEY NAME=STATUS...   writes a team's config.json
//     registry TEAM                           loads and checks it
//     send TEAM FROM TO TEXT [PRIORITY]       broadcast TEAM FROM TEXT [PRIORITY]
//     read TEAM WHO [first]                   prints waiting messages, oldest first
//     mark TEAM ID [wait]                     loads, (reports it, waits for a line,) changes, saves
//     cleanup TEAM HOURS [first]              prints the number of removed messages
//     event TEAM ID                           prints the line that a session gets
//   Every result is one JSON line.
'use strict';
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');

const HOUR_MS = 60 * 60 * 1000;
const say = (result) => process.stdout.write(JSON.stringify(result) + '\n');

class Teams {
  constructor(base) {
    this.base = base;
  }

  mailbox(team) {
    return path.join(this.base, team, 'mailbox');
  }

  file(team, id) {
    return path.join(this.mailbox(team), `${id}.json`);
  }

  save(file, value) {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(file, JSON.stringify(value, null, 2) + '\n', 'utf8');
    fs.chmodSync(file, 0o600);
  }

  load(file) {
    try {
      return JSON.parse(fs.readFileSync(file, 'utf8'));
    } catch (error) {
      return undefined;
    }
  }

  register(team, leadSessionKey, members) {
    const now = Date.now();
    const teammates = {};
    for (const [teammateId, status] of members) {
      teammates[teammateId] = {
        teammateId, role: 'worker', sessionKey: `agent:main:${teammateId}`, status,
        requirePlanApproval: false, planApproved: false, claimedTasks: [], completedTasks: [],
        createdAt: now,
      };
    }
    this.save(path.join(this.base, team, 'config.json'), {
      teamId: team, teamName: team, leadSessionKey, status: 'active', createdAt: now,
      updatedAt: now, teammates, config: {},
    });
  }

  registry(team) {
    const loaded = this.load(path.join(this.base, team, 'config.json'));
    if (!loaded || !loaded.teamId || !loaded.teamName || !loaded.leadSessionKey) return null;
    return loaded;
  }

  send(team, from, to, message, priority = 'normal') {
    const letter = {
      messageId: crypto.randomUUID(), teamId: team, from, to, message, priority, read: false,
      createdAt: Date.now(),
    };
    this.save(this.file(team, letter.messageId), letter);
    return letter;
  }

  broadcast(team, from, message, priority) {
    const { messageId } = this.send(team, from, 'all', message, priority);
    const teammates = Object.values(this.registry(team).teammates);
    const deliveredTo = teammates
      .filter((one) => one.status === 'active' && one.teammateId !== from)
      .map((one) => one.teammateId);
    return { messageId, deliveredTo };
  }

  all(team) {
    let names = [];
    try {
      names = fs.readdirSync(this.mailbox(team)).filter((name) => name.endsWith('.json'));
    } catch (error) {
      return [];
    }
    return names
      .map((name) => ({ name, letter: this.load(path.join(this.mailbox(team), name)) }))
      .filter(({ letter }) => letter !== undefined);
  }

  read(team, who, first) {
    return this.all(team)
      .map(({ letter }) => letter)
      .filter((letter) => letter.to === who || letter.to === 'all')
      .filter((letter) => first || letter.read === false)
      .sort((one, other) => one.createdAt - other.createdAt);
  }

  cleanup(team, hours, first) {
    const limit = Date.now() - hours * HOUR_MS;
    const old = this.all(team)
      .filter(({ letter }) => letter.createdAt < limit && (first || letter.read === true));
    for (const { name } of old) fs.unlinkSync(path.join(this.mailbox(team), name));
    return old.length;
  }
}

function markRead(teams, team, id, wait) {
  const letter = teams.load(teams.file(team, id));
  const finish = () => {
    if (letter) teams.save(teams.file(team, id), { ...letter, read: true });
    say({ marked: letter !== undefined });
  };
  if (!wait) {
    finish();
    return;
  }
  say({ loaded: letter !== undefined });
  process.stdin.once('data', () => { finish(); process.stdin.destroy(); });
}

const COMMANDS = {
  register: (teams, team, key, ...members) =>
    say(teams.register(team, key, members.map((word) => word.split('='))) || { registered: team }),
  registry: (teams, team) => say(teams.registry(team)),
  send: (teams, ...words) => say(teams.send(...words)),
  broadcast: (teams, ...words) => say(teams.broadcast(...words)),
  read: (teams, team, who, first) => say(teams.read(team, who, first === 'first')),
  mark: markRead,
  cleanup: (teams, team, hours, first) =>
    say({ removed: teams.cleanup(team, Number(hours), first === 'first') }),
  event: (teams, team, id) => {
    const letter = teams.load(teams.file(team, id));
    const mark = letter.priority === 'urgent' ? '[URGENT] ' : '';
    say({ text: `${mark}From ${letter.from}: ${letter.message}` });
  },
};

const [base, command, ...operands] = process.argv.slice(2);
if (!COMMANDS[command]) {
  process.stderr.write('usage: openclaw_peer.js TEAMS COMMAND\n');
  process.exit(2);
}
COMMANDS[command](new Teams(base), ...operands);
