// The other side of the mailbox with one Markdown file per recipient, for the tests.
//
// It reads front matter with the genuine gray-matter and works like a model with file tools: it
// writes a message without checking for an old one, and removes it when it is done.
//
//   roo_peer.js PROJECT COMMAND
//     list                                  prints the slugs that have mail
//     read SLUG                             prints values, their types, and the body
//     write SLUG FROM ID BODY [PRIORITY]    replaces the old message
//     delete SLUG                           finish SLUG   adds a line to progress.md, then deletes
//   Every result is one JSON line.
'use strict';
const fs = require('fs');
const path = require('path');
const matter = require('gray-matter');

const say = (result) => process.stdout.write(JSON.stringify(result) + '\n');

function typeOf(value) {
  if (value === null) return 'null';
  return value instanceof Date ? 'date' : typeof value;
}

class Project {
  constructor(root) {
    this.mailbox = path.join(root, '.roo', 'mailbox');
    this.progress = path.join(root, '.roo', 'memory-bank', 'progress.md');
  }

  file(slug) {
    return path.join(this.mailbox, `to-${slug}.md`);
  }

  list() {
    return fs.readdirSync(this.mailbox)
      .map((name) => /^to-(.*)\.md$/.exec(name))
      .filter(Boolean)
      .map((match) => match[1])
      .sort();
  }

  read(slug) {
    // The second argument disables gray-matter's cache.
    const { data, content } = matter(fs.readFileSync(this.file(slug), 'utf8'), {});
    const types = {};
    for (const key of Object.keys(data)) types[key] = typeOf(data[key]);
    return { data, types, content };
  }

  write(slug, from, id, body, priority) {
    const head = [`from: ${from}`, `timestamp: "${new Date().toISOString()}"`, `id: "${id}"`];
    if (priority) head.push(`priority: ${priority}`);
    fs.mkdirSync(this.mailbox, { recursive: true });
    fs.writeFileSync(this.file(slug), `---\n${head.join('\n')}\n---\n\n${body}\n`);
  }

  finish(slug) {
    const { data } = this.read(slug);
    const line = `- Processed mailbox message id:${data.id} from ${data.from}`;
    const log = fs.readFileSync(this.progress, 'utf8');
    fs.writeFileSync(this.progress,
      log.replace('## Completed Tasks\n', `## Completed Tasks\n${line}\n`));
    fs.unlinkSync(this.file(slug));
    return data;
  }
}

const COMMANDS = {
  list: (project) => say(project.list()),
  read: (project, slug) => say(project.read(slug)),
  write: (project, ...words) => { project.write(...words); say({ written: words[0] }); },
  delete: (project, slug) => { fs.unlinkSync(project.file(slug)); say({ deleted: slug }); },
  finish: (project, slug) => say(project.finish(slug)),
};

const [root, command, ...operands] = process.argv.slice(2);
if (!COMMANDS[command]) {
  process.stderr.write('usage: roo_peer.js PROJECT COMMAND\n');
  process.exit(2);
}
COMMANDS[command](new Project(root), ...operands);
