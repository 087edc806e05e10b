// Keeps connections between requests with node's own agent and sends nothing twice.
// kept_client.mjs PORT SECONDS RUNS, as kept_client.py.
import http from 'node:http';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const [port, idle, runs] = process.argv.slice(2).map(Number);
const { headers, body } = JSON.parse(readFileSync(0, 'utf8'));
const path = '/v1/verification_sessions';
const lost = [];
let sent = 0;

function ask(agent, method, content) {
  return new Promise((resolve, reject) => {
    const length = content ? { 'Content-Length': content.length } : {};
    const request = http.request({ host: '127.0.0.1', port, agent, method, path,
      headers: { ...headers, ...length } }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve([answer.statusCode, request.reusedSocket]));
    });
    request.on('error', reject);
    request.end(content);
  });
}

async function run(number) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  let isFirst = true;
  for (const letter of (number % 16).toString(2).padStart(4, '0') + '1') {
    if (!isFirst) await pause(idle * 1000);
    for (const method of letter === '1' ? ['POST', 'GET'] : ['GET', 'POST']) {
      sent += 1;
      try {
        const content = method === 'POST' ? body : undefined;
        const [status, isReused] = await ask(agent, method, content);
        if (status !== (content ? 201 : 200)) lost.push(`${method}: ${status}`);
        if (!isReused && !isFirst) lost.push(`${method}: on a new connection`);
        isFirst = false;
      } catch (error) {
        lost.push(`${method}: ${error.code}`);
        return;
      }
    }
  }
  agent.destroy();
}

await Promise.all(Array.from({ length: runs }, (_, number) => run(number)));
console.log(JSON.stringify({ sent, lost }));
