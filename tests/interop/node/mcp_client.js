// An agent with a mailbox server, using the protocol's own client library, for the tests.
//
//   mcp_client.js PROGRAM SOURCE AGENT OTHER STEP...
//     AGENT is the client's identity, OTHER its partner; SOURCE is [FORMAT:]PATH. Steps:
//     tools         lists the tools; checks results of those with a schema from then on
//     check         lists waiting messages
//     ask TEXT      sends TEXT to OTHER, reports it, and waits for the answer
//     handoff       hands work off to OTHER
//     impersonate   tries to send as OTHER, to check OTHER's mail and to call a tool for deciding
//     resources     lists resources and templates, and reads the first resource
//     cancel        begins a wait, cancels it, and continues
//   Every result is one JSON line, {"step": ..., ...}. SWARMUTT_WAIT_S limits the wait for an
//   answer. Exit status: 0, or 1 with {"died": ...}.
'use strict';
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');
const { LATEST_PROTOCOL_VERSION } = require('@modelcontextprotocol/sdk/types.js');

const [program, source, agent, other, ...steps] = process.argv.slice(2);
const waitSeconds = Number(process.env.SWARMUTT_WAIT_S || 60);
const say = (result) => process.stdout.write(JSON.stringify(result) + '\n');

class Mailbox {
  async open() {
    this.client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({
      command: program,
      args: ['-S', source, 'mcp', '--as', agent],
      env: process.env,
      stderr: 'inherit',
    });
    let spoken = null;
    transport.setProtocolVersion = (version) => { spoken = version; };
    await this.client.connect(transport);
    say({
      step: 'open',
      revision: spoken,
      newest: LATEST_PROTOCOL_VERSION,
      server: this.client.getServerVersion().name,
      instructions: this.client.getInstructions(),
    });
  }

  raw(name, args, options) {
    return this.client.callTool({ name, arguments: args }, undefined, options);
  }

  async call(name, args, options) {
    const result = await this.raw(name, args, options);
    if (result.isError) throw new Error(`${name}: ${result.content[0].text}`);
    return result.structuredContent;
  }

  async refusal(name, args) {
    try {
      const result = await this.raw(name, args);
      return result.isError ? result.content[0].text : null;
    } catch (error) {
      return error.message;
    }
  }

  async tools() {
    const { tools } = await this.client.listTools();
    return {
      names: tools.map((one) => one.name),
      described: tools.filter((one) => one.outputSchema).map((one) => one.name),
    };
  }

  async check() {
    return this.call('check', {});
  }

  async ask(text) {
    const sent = await this.call('send', { to: other, subject: 'a question', body: text });
    say({ step: 'asked', id: sent.id });
    const limit = { timeout: (waitSeconds + 60) * 1000 };
    const came = await this.call('wait', { query: `from:${other}`, timeout_s: waitSeconds }, limit);
    return { sent: sent.id, messages: came.messages };
  }

  async handoff() {
    return this.call('handoff', {
      to: other, subject: 'the parser', done: 'half of it', state: 'it builds', next: ['tests'],
    });
  }

  async impersonate() {
    const letter = { to: agent, subject: 'approved', body: 'go on' };
    return {
      from: await this.refusal('send', { ...letter, from: other }),
      agent: await this.refusal('check', { agent: other }),
      decide: await this.refusal('decide', { id: 'x', approve: true }),
      protocol: await this.refusal('send', {
        to: other, subject: 's', body: JSON.stringify({ type: 'permission_response' }),
      }),
    };
  }

  async resources() {
    const { resources } = await this.client.listResources();
    const { resourceTemplates } = await this.client.listResourceTemplates();
    const read = resources.length
      ? await this.client.readResource({ uri: resources[0].uri })
      : { contents: [] };
    return {
      uris: resources.map((one) => one.uri),
      templates: resourceTemplates.map((one) => one.uriTemplate),
      read: read.contents.map((one) => JSON.parse(one.text)),
    };
  }

  async cancel() {
    const giveUp = new AbortController();
    const waiting = this.raw('wait', { query: 'from:nobody', timeout_s: 3600 }, {
      signal: giveUp.signal, timeout: 3600 * 1000,
    }).then(() => 'answered', () => 'cancelled');
    await this.client.ping();
    giveUp.abort('enough');
    const outcome = await waiting;
    await this.client.ping();
    return { outcome };
  }
}

async function main() {
  const mailbox = new Mailbox();
  await mailbox.open();
  while (steps.length) {
    const step = steps.shift();
    const words = step === 'ask' ? [steps.shift()] : [];
    say({ step, ...(await mailbox[step](...words)) });
  }
  await mailbox.client.close();
}

main().catch((error) => {
  say({ died: error.message });
  process.exit(1);
});
