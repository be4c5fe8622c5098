// A program like those of agents: the same input and answers as lock_holder.c, with the lock of the
// proper-lockfile package. The handler for a compromised lock is the default one, which throws.
'use strict';
const fs = require('fs');
const path = require('path');
const readline = require('readline');

const [modules, dir, inbox, marker] = process.argv.slice(2);
const { lock } = require(path.join(modules, 'proper-lockfile'));
const file = path.join(dir, inbox);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function take(tries, ms) {
    const release = await lock(file, {
        lockfilePath: `${file}.lock`,
        stale: 10000,
        update: 1000, // checks its lock every second
        retries: { retries: tries, minTimeout: 5, maxTimeout: 100 },
    });
    if (ms < 0) {
        return 'held';
    }
    let answer = 'ok';
    try {
        fs.closeSync(fs.openSync(marker, 'wx'));
    } catch (error) {
        answer = 'double';
    }
    await pause(ms);
    if (answer === 'ok') {
        fs.unlinkSync(marker);
    }
    await release();
    return answer;
}

async function main() {
    for await (const line of readline.createInterface({ input: process.stdin })) {
        const [, tries, ms] = line.split(' ').map(Number);
        process.stdout.write(`${await take(tries, ms).catch((error) => error.code)}\n`);
    }
}

main();
